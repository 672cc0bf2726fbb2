# A toolchain file: Zig's C++ compiler, for another system, or for an older C library than this machine's. BUILD.md has
# the commands. `pip install ziglang` brings it, with the command python-zig on PATH.
set(HLOKIT_ZIG_TARGET "x86_64-linux-gnu.2.17" CACHE STRING "Zig's name of the target: processor-system-library")
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES HLOKIT_ZIG_TARGET)
find_program(HLOKIT_ZIG python-zig REQUIRED)

string(REGEX MATCH "^[^-]+" CMAKE_SYSTEM_PROCESSOR "${HLOKIT_ZIG_TARGET}")
if(HLOKIT_ZIG_TARGET MATCHES "windows")
  set(CMAKE_SYSTEM_NAME Windows)
elseif(HLOKIT_ZIG_TARGET MATCHES "macos")
  set(CMAKE_SYSTEM_NAME Darwin)
else()
  set(CMAKE_SYSTEM_NAME Linux)
endif()

set(CMAKE_CXX_COMPILER "${HLOKIT_ZIG}" c++ -target "${HLOKIT_ZIG_TARGET}")
# Zig's archiver reads the objects of every system.
set(CMAKE_CXX_ARCHIVE_CREATE "\"${HLOKIT_ZIG}\" ar qc <TARGET> <LINK_FLAGS> <OBJECTS>")
set(CMAKE_CXX_ARCHIVE_APPEND "\"${HLOKIT_ZIG}\" ar q <TARGET> <LINK_FLAGS> <OBJECTS>")
set(CMAKE_CXX_ARCHIVE_FINISH "\"${HLOKIT_ZIG}\" ranlib <TARGET>")
