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
        CLI_TESTS("commands"),
    ),
    mutant(
        "a command that fails returns 0",
        f"{FRAME}:_run",
        'print(f"{name}: error: {described(error)}", file=sys.stderr)\n        return 1',
        'print(f"{name}: error: {described(error)}", file=sys.stderr)\n        return 0',
        CLI_TESTS("commands"),
        CLI_TESTS("subcommands"),
        CLI_TESTS("arguments_and_results"),
    ),
    mutant(
        "the caret is one column to the right",
        f"{DIAGNOSTICS}:_excerpt",
        "line[cut : column - 1]",
        "line[cut:column]",
        CLI_TESTS("diagnostics"),
    ),
    mutant(
        "callers are listed from the outermost inwards",
        f"{DIAGNOSTICS}:_of_traced",
        "for frame in reversed(callers)",
        "for frame in callers",
        CLI_TESTS("diagnostics"),
    ),
    mutant(
        "errors of the evaluation have no position",
        f"{DIAGNOSTICS}:position_of",
        "if position is None:",
        "if True:",
        CLI_TESTS("diagnostics"),
    ),
    mutant(
        "expected-error@+1 means the line itself",
        f"{EXPECTATIONS}:expectations",
        "number + int(place)",
        "number + abs(int(place)) // 2",
        CLI_TESTS("expectations"),
    ),
    mutant(
        "announced diagnostics of another severity are right",
        f"{EXPECTATIONS}:differences",
        "if item.severity == diagnostic.severity",
        "if item.severity",
        CLI_TESTS("expectations"),
    ),
    mutant(
        "text around a regular expression is part of it",
        f"{EXPECTATIONS}:Expected._pattern",
        "re.escape(part) for part",
        "part for part",
        CLI_TESTS("expectations"),
    ),
    mutant(
        "one program of several that succeeds is enough",
        f"{OPT}:_process_all",
        "succeeded &= is_right",
        "succeeded = is_right",
        CLI_TESTS("opt"),
        "tests/cli/split_input.mlir",
        "tests/cli/verify_all.mlir",
    ),
    mutant(
        "an output file is replaced although the command fails",
        "hlokit.cli.streams.outputs:_replacing",
        'with os.fdopen(descriptor, "wb") as file:\n            yield file',
        'with open(target, "wb") as file:\n            yield file',
        CLI_TESTS("arguments_and_results"),
        CLI_TESTS("opt"),
    ),
    mutant(
        "results of several processes have the numbers of the first one",
        f"{EVALUATION}:_json_rows",
        "divmod(process, grid[1])",
        "divmod(process, grid[0])",
        CLI_TESTS("run_flags"),
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
        "hlokit.cli.streams.argument_files:in_order",
        "[given[words] for words in wanted]",
        "list(arguments)",
        CLI_TESTS("run_flags"),
    ),
    mutant(
        "arrays of other machines have the wrong order of bytes",
        "hlokit.cli.streams.argument_files:_with_stored_type",
        "array.astype(array.dtype.type, copy=False)",
        "array.view(array.dtype.type)",
        CLI_TESTS("element_types"),
    ),
    mutant(
        "verify returns 0 if its last file is valid",
        "hlokit.cli.commands.verify:verify_files",
        "any(_has_error(diagnostics) for _, _, diagnostics in found)",
        "_has_error(found[-1][2])",
        CLI_TESTS("service_commands"),
    ),
    mutant(
        "warnings make a program invalid",
        "hlokit.cli.commands.verify:_has_error",
        'diagnostic.severity == "error"',
        'diagnostic.severity != "note"',
        CLI_TESTS("service_commands"),
    ),
    mutant(
        "diff ignores the mode",
        "hlokit.cli.commands.diff:_diff",
        'line.choice(MODE.name, MODES) or "auto"',
        '"auto"',
        "tests/unit/tools/diff/test_diff.py",
    ),
)
