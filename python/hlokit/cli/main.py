"""The command `hlokit` and the list of its subcommands."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

from hlokit.cli.frame.command import print_error, run_command
from hlokit.cli.frame.flags import UsageError, Values, is_flag, name_and_value
from hlokit.cli.frame.parser import NAME, OTHER_SPELLINGS, HelpFormatter, Parser, Subcommand, examples_text
from hlokit.cli.frame.project import stated_flags
from hlokit.cli.frame.shared_flags import HELP, VERSION, version_text
from hlokit.cli.frame.verbosity import speaking
from hlokit.display.suggestions import SUGGESTS, closest, did_you_mean
from hlokit.errors import HlokitError

USAGE = f"{NAME} SUBCOMMAND [FILE] [ARGUMENT...] [flags]"
DESCRIPTION = "Evaluates, compares and inspects StableHLO programs: MLIR, artifacts, exports of JAX."
EXAMPLES = (
    "hlokit run model.mlirbc --random            evaluate it on drawn arguments",
    "hlokit run model.mlirbc x.npy               or on your own",
    "hlokit diff model.mlirbc x.npy --against=xla",
    "hlokit view model.mlirbc x.npy -o page.html",
)

# The subcommands, in the order of the help. `subcommand` imports them.
SUBCOMMANDS = (
    *(
        "run",
        "view",
        "diff",
        "equal",
        "invariance",
        "judge",
        "conformance",
        "passes",
        "record",
        "replay",
        "reduce",
    ),
    *("make-test", "shard", "lint-spmd", "ops", "info", "compat", "upgrade", "verify", "infer", "serve"),
    *("mcp", "example", "doctor", "completion"),
)


def subcommand(name: str) -> Subcommand:
    """A subcommand, which imports no other one.

    Raises:
      UsageError: there is no such subcommand.
    """
    match name:
        case "run":
            from hlokit.cli.commands.run import SUBCOMMAND
        case "view":
            from hlokit.cli.commands.view import SUBCOMMAND
        case "diff":
            from hlokit.cli.commands.diff import SUBCOMMAND
        case "invariance":
            from hlokit.cli.commands.judging.invariance import SUBCOMMAND
        case "judge":
            from hlokit.cli.commands.judging.judge import SUBCOMMAND
        case "conformance":
            from hlokit.cli.commands.judging.conformance import SUBCOMMAND
        case "equal":
            from hlokit.cli.commands.judging.equal import SUBCOMMAND
        case "passes":
            from hlokit.cli.commands.passes import SUBCOMMAND
        case "record":
            from hlokit.cli.commands.record import SUBCOMMAND
        case "replay":
            from hlokit.cli.commands.replay import SUBCOMMAND
        case "reduce":
            from hlokit.cli.commands.reduce import SUBCOMMAND
        case "make-test":
            from hlokit.cli.commands.make_test import SUBCOMMAND
        case "shard":
            from hlokit.cli.commands.shard import SUBCOMMAND
        case "lint-spmd":
            from hlokit.cli.commands.lint_spmd import SUBCOMMAND
        case "ops":
            from hlokit.cli.commands.ops import SUBCOMMAND
        case "info":
            from hlokit.cli.commands.info import SUBCOMMAND
        case "compat":
            from hlokit.cli.commands.compat import SUBCOMMAND
        case "upgrade":
            from hlokit.cli.commands.upgrade import SUBCOMMAND
        case "verify":
            from hlokit.cli.commands.verify import SUBCOMMAND
        case "infer":
            from hlokit.cli.commands.infer import SUBCOMMAND
        case "serve":
            from hlokit.cli.commands.serving.serve import SUBCOMMAND
        case "mcp":
            from hlokit.cli.commands.serving.mcp import SUBCOMMAND
        case "example":
            from hlokit.cli.commands.example import SUBCOMMAND
        case "doctor":
            from hlokit.cli.commands.doctor import SUBCOMMAND
        case "completion":
            from hlokit.cli.commands.completion import completion

            return completion(parsers)
        case _:
            raise UsageError(_no_subcommand(name))
    return SUBCOMMAND


# What users of other tools look for.
_ELSEWHERE = {
    **dict.fromkeys(("eval", "exec", "execute", "interpret", "interpreter"), "run"),
    **dict.fromkeys(("trace", "profile"), "run --trace"),
    **dict.fromkeys(("check", "validate"), "verify"),
    **dict.fromkeys(("show", "graph", "visualize", "open"), "view"),
    **dict.fromkeys(("compare",), "diff"),
    **dict.fromkeys(("version", "versions"), "--version"),
    "lint": "lint-spmd",
    "bisect": "passes",
    "minimize": "reduce",
    "partition": "shard",
    "inspect": "info",
}
# Flags of other tools, and what to write here.
_FLAGS_ELSEWHERE = {
    "args": f"arguments follow the file: {NAME} run FILE ARGUMENT...",
    **dict.fromkeys(("input", "inputs"), f"arguments follow the file: {NAME} run FILE ARGUMENT..."),
    **dict.fromkeys(("module", "model", "file"), f"the file follows the subcommand: {NAME} run FILE"),
    **dict.fromkeys(
        ("device", "devices", "gpu", "cuda", "provider", "providers", "platform"),
        "programs run on the CPU; --backend=xla of hlokit run compiles them with XLA",
    ),
    **dict.fromkeys(
        ("output-format", "output_format"), "--format and --json say the form of what is printed"
    ),
    **dict.fromkeys(("entry", "entry-function", "entry_function"), "--function=NAME says the function"),
    **dict.fromkeys(
        ("profile", "benchmark", "iterations", "repeat"), f"{NAME} run --trace and {NAME} view have times"
    ),
    **dict.fromkeys(("threads", "num-threads", "jobs"), "HLOKIT_THREADS=N says the number of threads"),
    **dict.fromkeys(("batch", "batch-size", "batch_size"), "--size=N and --size n=N say open dimensions"),
    **dict.fromkeys(
        ("rtol", "atol", "tolerance", "tol"), f"{NAME} diff derives what roundings allow, for each operation"
    ),
    **dict.fromkeys(("debug", "vv"), "-v says more, and shows the traceback of a defect"),
    **dict.fromkeys(
        ("expected_output", "expected-output"), f"{NAME} diff FILE --against=SIDE compares results"
    ),
}
# Other commands of this package.
_OTHER_COMMANDS = {
    "opt": "stablehlo-opt",
    "translate": "stablehlo-translate",
    "serialize": "stablehlo-translate --serialize",
    "deserialize": "stablehlo-translate --deserialize",
}


def _no_subcommand(name: str) -> str:
    """The message for a subcommand that does not exist."""
    if "." in name or "/" in name:
        return f"'{name}' is no subcommand{SUGGESTS}{NAME} run {name}?"
    meant = _OTHER_COMMANDS.get(name) or f"{NAME} {_ELSEWHERE.get(name) or closest(name, SUBCOMMANDS) or ''}"
    hint = f"{SUGGESTS}{meant}?" if meant.strip() != NAME else ""
    return f"there is no subcommand '{name}'{hint or f': {NAME} --help lists them'}"


def parsers() -> dict[str, Parser]:
    """The parsers of all subcommands."""
    return {name: subcommand(name).parser() for name in SUBCOMMANDS}


def help_text() -> str:
    """What `hlokit --help` prints."""
    parser = argparse.ArgumentParser(
        prog=NAME,
        usage=USAGE,
        description=DESCRIPTION,
        epilog=examples_text(EXAMPLES),
        formatter_class=HelpFormatter,
        add_help=False,
    )
    names, flags = parser.add_argument_group("subcommands"), parser.add_argument_group("flags")
    for name in SUBCOMMANDS:
        names.add_argument(name, help=subcommand(name).headline)
    names.add_argument("help", help="print the flags of a subcommand: hlokit help run")
    for flag, letter in ((HELP, "-h"), (VERSION, "-V")):
        meaning = flag.help.partition(": ")[2]
        flags.add_argument(letter, flag.spelling, action="store_true", help=meaning)
    return parser.format_help()


def load(arguments: Sequence[str]) -> None:
    """Import the subcommand of a command line, if it is the first word, before a process is forked for it."""
    if arguments and arguments[0] in SUBCOMMANDS:
        subcommand(arguments[0])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; its exit status."""
    return run_command(NAME, arguments, _run, is_supervised=True)


def _run(arguments: Sequence[str]) -> int:
    name, rest = _divided(arguments)
    if name == "help":
        is_of_subcommand = bool(rest) and not is_flag(rest[0]) and rest[0] != "help"
        name, rest = (rest[0], [HELP.spelling]) if is_of_subcommand else ("", [])
    if not name:
        sys.stdout.write(_answer(rest))
        return 0
    chosen = subcommand(name)
    parser = chosen.parser()
    stated = stated_flags(name, parser.flags, rest)
    words = parser.read([*stated, *rest], lambda flag: _refuse(name, flag))
    if HELP.spelling in words or VERSION.spelling in words:
        sys.stdout.write(parser.format_help() if HELP.spelling in words else version_text(NAME))
        return 0
    values = parser.parse_args(words, Values())
    began = time.monotonic()
    try:
        with speaking(quiet=values.quiet, verbose=values.verbose):
            status = chosen.run(values)
        if values.verbose:
            sys.stderr.write(f"{version_text(NAME).strip()}: {time.monotonic() - began:.2f} s\n")
        return status
    except UsageError:
        raise
    except (HlokitError, OSError, MemoryError) as error:
        if chosen.failed == 1:
            raise
        print_error(NAME, error)
        return chosen.failed


def _divided(arguments: Sequence[str]) -> tuple[str, Sequence[str]]:
    """The name of the subcommand, "" if there is none, and the rest of the command line."""
    if arguments and not is_flag(arguments[0]):
        return arguments[0], arguments[1:]
    # The name may follow flags, and values of these flags.
    flags = {name: flag for parser in parsers().values() for name, flag in parser.flags.items()}
    is_value = False
    for index, word in enumerate(arguments):
        if not is_value and not is_flag(word):
            return word, (*arguments[:index], *arguments[index + 1 :])
        name, value = name_and_value(word)
        is_value = not is_value and value is None and name in flags and flags[name].value is not None
    return "", arguments


def _answer(arguments: Sequence[str]) -> str:
    """The answer to a command line without subcommand.

    Raises:
      UsageError: it requests none.
    """
    names = [name_and_value(word)[0] for word in arguments]
    if not names or HELP.name in names:
        return help_text()
    if VERSION.name in names or "V" in names:
        return version_text(NAME)
    hint = did_you_mean(names[0], (HELP.name, VERSION.name), "'--{}'")
    wrong = f"unknown command line argument '{arguments[0]}'{hint}" if hint else "a subcommand must be given"
    raise UsageError(f"{wrong} (usage: {USAGE}; {NAME} --help)")


def _refuse(name: str, flag: str) -> None:
    """Reject a flag that a subcommand lacks and that another command has.

    Raises:
      UsageError: there is such a command.
    """
    spellings = {flag, OTHER_SPELLINGS.get(flag, flag)}
    owners = [other for other, parser in parsers().items() if spellings & parser.flags.keys()]
    shown = "-o" if "o" in spellings else f"--{flag}"
    here = f"; here {_FLAGS_ELSEWHERE[flag]}" if flag in _FLAGS_ELSEWHERE else ""
    if owners:
        own = here or did_you_mean(flag, subcommand(name).parser().flags, "--{}")
        raise UsageError(f"{name}: {shown} must not be given: it is a flag of {', '.join(owners)}{own}")
    if here:
        raise UsageError(f"{name}: --{flag} is a flag of other tools{here}")
