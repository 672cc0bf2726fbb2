"""Mistakes in commands: what they read, print and return."""

from __future__ import annotations

from tests.mutation.mutant import Mutant, mutant

DIAGNOSTICS = "hlokit.cli.streams.diagnostics"
EVALUATION = "hlokit.cli.evaluating.evaluation"
EXPECTATIONS = "hlokit.cli.streams.expectations"
FRAME = "hlokit.cli.frame.command"
OPT = "hlokit.cli.upstream.opt"
CLI_TESTS = "tests/unit/cli/test_{}.py".format

MUTANTS: tuple[Mutant, ...] = (
    mutant(
        "an interrupted command fails like any other",
        f"{FRAME}:_run",
        "return 130",
        "return 1",
        "tests/unit/cli/test_commands.py::test_interrupt",
    ),
    mutant(
        "a command that fails returns 0",
        f"{FRAME}:_run",
        'name == "hlokit" else 1',
        'name == "hlokit" else 0',
        "tests/cli/flags.test",
    ),
    mutant(
        "the caret is one column to the right",
        f"{DIAGNOSTICS}:_excerpt",
        "line[cut : column - 1]",
        "line[cut:column]",
        "tests/unit/cli/test_diagnostics.py::test_position_source_line_and_caret",
    ),
    mutant(
        "callers are listed from the outermost inwards",
        f"{DIAGNOSTICS}:_of_traced",
        "for frame in reversed(callers)",
        "for frame in callers",
        "tests/unit/cli/test_diagnostics.py::test_callers_are_listed_from_the_innermost_outwards",
    ),
    mutant(
        "errors of the evaluation have no position",
        f"{DIAGNOSTICS}:position_of",
        "if position is None:",
        "if True:",
        "tests/unit/cli/test_diagnostics.py::test_evaluation_error_shows_the_call_path",
    ),
    mutant(
        "expected-error@+1 means the line itself",
        f"{EXPECTATIONS}:expectations",
        "number + int(where)",
        "number + abs(int(where)) // 2",
        "tests/unit/cli/test_expectations.py::test_places",
    ),
    mutant(
        "announced diagnostics of another severity are right",
        f"{EXPECTATIONS}:differences",
        "if item.severity == diagnostic.severity",
        "if item.severity",
        "tests/unit/cli/test_expectations.py::test_differences_are_told_with_positions",
    ),
    mutant(
        "text around a regular expression is part of it",
        f"{EXPECTATIONS}:Expected._pattern",
        "re.escape(part) for part",
        "part for part",
        "tests/unit/cli/test_expectations.py::test_regular_expressions",
    ),
    mutant(
        "one program of several that succeeds is enough",
        f"{OPT}:_process_all",
        "succeeded &= is_right",
        "succeeded = is_right",
        f"{CLI_TESTS('opt')}::test_one_program_that_fails_is_enough",
    ),
    mutant(
        "an output file is replaced although the command fails",
        "hlokit.cli.streams.outputs:_replacing",
        'with os.fdopen(descriptor, "wb") as file:\n            yield file',
        'with open(target, "wb") as file:\n            yield file',
        "tests/unit/cli/test_arguments_and_results.py::test_results_come_back",
    ),
    mutant(
        "results of several processes have the numbers of the first one",
        f"{EVALUATION}:_json_rows",
        "divmod(process, grid[1])",
        "divmod(process, grid[0])",
        "tests/unit/cli/test_run_flags.py::test_partitions",
    ),
    mutant(
        "a program without checks passes --require-checks",
        f"{EVALUATION}:_evaluate",
        "if options.require_checks and not context.checks:",
        "if options.require_checks and context.checks < 0:",
        "tests/cli/require_checks.mlir",
    ),
    mutant(
        "arrays of .npz files are taken in their order",
        "hlokit.cli.streams.argument_files:places",
        "None if name is None else parameters.get(_words(name))",
        "None if name is None else index",
        "tests/unit/cli/test_run_flags.py::test_arrays_of_npz_are_matched_by_name",
    ),
    mutant(
        "arrays of other machines have the wrong order of bytes",
        "hlokit.cli.streams.argument_files:_with_stored_type",
        "array.astype(array.dtype.type, copy=False)",
        "array.view(array.dtype.type)",
        "tests/unit/cli/test_element_types.py::test_files_of_other_machines",
    ),
    mutant(
        "verify returns 0 if its last file is valid",
        "hlokit.cli.commands.verify:_verify_files",
        "any(_has_error(diagnostics) for _, _, diagnostics in verified)",
        "_has_error(verified[-1][2])",
        "tests/unit/cli/test_service_commands.py::test_one_invalid_file_is_enough",
    ),
    mutant(
        "verify ignores --strict",
        "hlokit.cli.commands.verify:_verify",
        "strict=strict",
        "strict=False",
        f"{CLI_TESTS('service_commands')}::test_verify_strict",
    ),
    mutant(
        "diff ignores the mode",
        "hlokit.cli.commands.diff:_diff",
        "mode=values.mode",
        'mode="auto"',
        "tests/unit/tools/diff/test_diff.py::test_commands",
    ),
)
