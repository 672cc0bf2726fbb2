# Kernels that are compiled several times, once for each level of processor: see lib/support/variants.h.

# The levels that the compiler and the processor have, and the options of each. AArch64 has NEON in its baseline; a
# level for SVE would be one more branch here.
set(HLOKIT_LEVELS baseline)
set(HLOKIT_LEVEL_DEFINITIONS)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT MSVC)
  list(APPEND HLOKIT_LEVELS avx2 avx512)
  set(HLOKIT_LEVEL_DEFINITIONS HLOKIT_X86_VARIANTS)
  set(HLOKIT_OPTIONS_avx2 -mavx2 -mf16c)
  set(HLOKIT_OPTIONS_avx512 -mf16c -mavx512f -mavx512dq -mavx512bw -mavx512vl -mprefer-vector-width=512)
  set(HLOKIT_FMA -mfma)
  # Only processors of before 2013 run the baseline: it need not be fast, and half the time to compile it is saved.
  set(HLOKIT_OPTIONS_baseline -O1 -fno-tree-vectorize)
  list(APPEND HLOKIT_OPTIONS_baseline ${QUICK})
endif()

# hlokit_kernel_variants(<target> <name> [UP_TO <level>] [FMA] OPTIONS <options>... FILES <files>...)
#
# Adds to a target the objects of some files, compiled with some options for each level. Above the baseline, FMA lets
# compilers fuse products and sums, if the options do, too.
function(hlokit_kernel_variants target name)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "FMA" "UP_TO" "OPTIONS;FILES")
  foreach(level IN LISTS HLOKIT_LEVELS)
    set(objects ${target}_${name}_${level})
    add_library(${objects} OBJECT ${ARG_FILES})
    hlokit_library(${objects})
    target_compile_definitions(${objects} PRIVATE HLOKIT_VARIANT=${level})
    target_compile_options(${objects} PRIVATE ${ARG_OPTIONS} ${HLOKIT_OPTIONS_${level}})
    if(ARG_FMA AND NOT level STREQUAL "baseline")
      target_compile_options(${objects} PRIVATE ${HLOKIT_FMA})
    endif()
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${objects}>)
    if(level STREQUAL "${ARG_UP_TO}")
      break()
    endif()
  endforeach()
endfunction()
