"""Mistakes in lib/: kernels, the VM, readers of bytecode and text."""

from __future__ import annotations

from tests.mutation.mutant import Mutant, mutant

KERNELS = "lib/kernels"
NATIVE = "tests/unit/lib/{}.py".format

MUTANTS: tuple[Mutant, ...] = (
    mutant(
        "rows in reverse order are copied from one element before",
        f"{KERNELS}/copies.cpp",
        "reinterpret_cast<const T *>(from) - (count - 1)",
        "reinterpret_cast<const T *>(from) - (count - 2)",
        "tests/unit/lib/kernels/test_copies.py::test_any_view",
    ),
    mutant(
        "negative indices are not clamped",
        f"{KERNELS}/regions/index_vectors.cpp",
        "index &= ~(index >> 63);",
        "index = index < 0 ? last : index;",
        "tests/unit/kernels/shapes/test_gather_scatter.py::test_starts_are_clamped",
    ),
    mutant(
        "of equal elements, the last of the greatest comes first",
        f"{KERNELS}/regions/top_k.cpp",
        "keys[at - 1] < key",
        "keys[at - 1] <= key",
        "tests/unit/kernels/regions/test_native_rows.py::test_of_equal_elements_the_first_come_first",
    ),
    mutant(
        "of many equal elements, the last of the greatest comes first",
        f"{KERNELS}/regions/top_k.cpp",
        "position < other.position",
        "position > other.position",
        "tests/unit/kernels/regions/test_native_rows.py::test_of_equal_elements_the_first_come_first",
    ),
    mutant(
        "NaNs that a scatter computes keep their bits",
        f"{KERNELS}/regions/updates.cpp",
        "to = Element<T>::store(CanonicalNan<Value<T>>::of(value));",
        "return;",
        "tests/reference/test_nan_bits.py::test_a_scatter_keeps_elements_without_updates",
    ),
    mutant(
        "blocks of sums are added four at a time",
        f"{KERNELS}/regions/combine.cpp",
        "combination.is_sum ? 2 : blocks",
        "combination.is_sum ? 4 : blocks",
        "tests/unit/lib/vm/test_reductions.py::test_sums_have_one_order_in_all_layouts",
    ),
    mutant(
        "a round of Threefry rotates by another amount",
        f"{KERNELS}/random/threefry.cpp",
        "round(26)",
        "round(25)",
        "tests/interpret/rng_bit_generator.mlir",
    ),
    mutant(
        "the counter of Philox has no carry",
        f"{KERNELS}/random/bits.cpp",
        "upper_ + (counter < first_ ? 1 : 0)",
        "upper_",
        "tests/unit/kernels/random/test_random.py::test_philox_words",
    ),
    mutant(
        "a Hermitian matrix is read as symmetric",
        f"{KERNELS}/linalg/triangular.cpp",
        "= conj(a[j * a_stride + i]);",
        "= a[j * a_stride + i];",
        "tests/unit/kernels/linalg/test_operations.py::test_cholesky",
    ),
    mutant(
        "inverse real transforms are not scaled",
        f"{KERNELS}/fft/transform.cpp",
        "batch.is_inverse || is_to_real ?",
        "batch.is_inverse ?",
        "tests/interpret/fft.mlir",
    ),
    mutant(
        "equal elements change places in short sorts",
        f"{KERNELS}/regions/row_order.cpp",
        "sorted[at - 1].key > next.key",
        "sorted[at - 1].key >= next.key",
        "tests/unit/engine/native/test_sorts.py::test_keys_of_every_type",
    ),
    mutant(
        "sorts in loops distinguish -0 from 0",
        f"{KERNELS}/regions/row_order.cpp",
        "value == minus_zero ? Bits(0) : value",
        "value",
        "tests/unit/engine/native/test_sorts.py::test_keys_of_every_type",
    ),
    mutant(
        "a quote after a backslash ends a string",
        "lib/text/nesting.cpp",
        "if (text[i] == '\\\\') {",
        "if (text[i] == '\\0') {",
        "tests/unit/lib/readers/test_text.py::test_depth_is_that_of_tokens",
    ),
    mutant(
        "numbers of nine bytes lose their last byte",
        "lib/bytecode/cursor.cpp",
        "while (following < 8 &&",
        "while (following < 7 &&",
        "tests/unit/lib/readers/test_bytecode_format.py::test_numbers_of_every_length",
    ),
    mutant(
        "padding may be any bytes",
        "lib/bytecode/cursor.cpp",
        "if (byte() != padding_byte)",
        "if (byte(), false)",
        "tests/unit/lib/readers/test_bytecode_format.py::test_padding_is_padding",
    ),
    mutant(
        "an alias may be of the result after the last one",
        "lib/artifacts/rules.cpp",
        "results > 1 && alias.result < results",
        "results > 1 && alias.result <= results",
        "tests/unit/compat/test_validation.py::test_aliases_of_several_results",
    ),
    mutant(
        "surrogates are valid text",
        "lib/artifacts/names.cpp",
        " || (point >= 0xD800 && point < 0xE000)",
        "",
        "tests/unit/compat/test_validation.py::test_texts_are_utf_8",
    ),
    mutant(
        "operands of a loop may be longer than its result",
        "lib/vm/verifier.cpp",
        "counts[operand] != counts[instruction.results[0]]",
        "counts[operand] < counts[instruction.results[0]]",
        "tests/unit/lib/vm/test_programs.py::test_malformed_programs",
    ),
    mutant(
        "registers of fused programs may be defined twice",
        "lib/vm/verifier.cpp",
        "if (is_defined_[index])",
        "if (false)",
        "tests/unit/lib/vm/test_machines.py::test_malformed_fused_code",
    ),
    mutant(
        "dimensions merge that are adjacent in the target only",
        "lib/vm/strided_copy.cpp",
        "to[rank - 1] == next_to * size && from[rank - 1] == next_from * size",
        "to[rank - 1] == next_to * size",
        "tests/unit/lib/vm/test_moves.py::test_random_moves",
    ),
    mutant(
        "updates of one element in a block do not see each other",
        "lib/vm/regions/scatter.cpp",
        " && recent.add(places[last])",
        "",
        "tests/unit/kernels/regions/test_native_regions.py::test_scatter",
    ),
    mutant(
        "opcodes are found by their first operand",
        "lib/vm/opcodes.cpp",
        "row.operands[row.arity - 1]",
        "row.operands[0]",
        "tests/unit/lib/vm/test_opcodes.py::test_every_opcode_is_found_by_its_types",
    ),
    mutant(
        "operations are fused although others read their result",
        "lib/vm/fused/schedule.cpp",
        "if (writers_[operand] == none || uses[operand] != 1 || levels_[operand] != levels_[node.to] ||",
        "if (writers_[operand] == none || levels_[operand] != levels_[node.to] ||",
        "tests/unit/engine/native/test_fusion.py::test_random_fusions_equal_the_kernels",
    ),
)
