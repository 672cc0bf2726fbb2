"""`hlokit completion SHELL`: scripts that complete command lines, made from the flags of all commands."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence

from hlokit.cli.frame.flags import Flag, OneOf, Values, one_of
from hlokit.cli.frame.parser import NAME, Parser, Subcommand
from hlokit.cli.frame.shared_flags import HELP, VERSION


def completion(parsers: Callable[[], Mapping[str, Parser]]) -> Subcommand:
    """The subcommand.

    Args:
      parsers: returns the parsers of all subcommands, by name.
    """

    def run(values: Values) -> int:
        # These modules have further flags and are slow to import; only this command needs all of them.
        from hlokit.cli.upstream import opt, translate

        passes = [Flag(name, "a pass") for name in opt.pass_names()]
        commands = {NAME: (HELP, VERSION), translate.NAME: translate.FLAGS, opt.NAME: (*opt.FLAGS, *passes)}
        subcommands = {name: tuple(parser.flags.values()) for name, parser in parsers().items()}
        sys.stdout.write(_SCRIPTS[values.shell](subcommands, commands))
        return 0

    return Subcommand(
        "completion",
        "SHELL",
        "print a script that completes command lines in bash, zsh or fish",
        _add_arguments,
        run,
    )


def _add_arguments(parser: Parser) -> None:
    parser.add_argument("shell", metavar="SHELL", type=one_of(*_SCRIPTS), help="bash, zsh or fish")


# Name of a command or of a subcommand of hlokit -> its flags.
Flags = Mapping[str, Sequence[Flag]]


def _word(flag: Flag) -> str:
    ends = "=" if flag.value is not None and flag.default is None and len(flag.name) > 1 else ""
    return f"{flag.spelling}{ends}"


def _values(flag: Flag) -> tuple[str, ...]:
    """The words that a flag's value may be, if there are not too many."""
    if isinstance(flag.type, OneOf):
        return flag.type.choices
    if flag.value == "SIDE":
        from hlokit.tools.backends.names import NAMES as sides

        return sides
    if flag.value == "COMPILER":
        from hlokit.tools.stages.compilers import NAMES as compilers

        return compilers
    return ()


def _cases(commands: Flags, prefix: str) -> Iterator[str]:
    """The cases of a shell's choice of words by command and flag."""
    for name, flags in commands.items():
        for flag in flags:
            if flag.name == "function":
                yield f'{prefix}"{name} {flag.spelling}") words="$(_hlokit_functions)" ;;'
            elif values := _values(flag):
                yield f"{prefix}\"{name} {flag.spelling}\") words='{' '.join(values)}' ;;"


def _bash(subcommands: Flags, commands: Flags) -> str:
    lines = [
        "# Completion of hlokit's commands for bash: source this, or save it in",
        "# ~/.local/share/bash-completion/completions/hlokit",
        "_hlokit_functions() {  # of the first file on the line",
        "    local word",
        '    for word in "${COMP_WORDS[@]:1}"; do',
        '        [[ -f "$word" ]] && { hlokit info --functions "$word" 2>/dev/null; return; }',
        "    done",
        "}",
        "_hlokit() {",
        '    local cur="${COMP_WORDS[COMP_CWORD]}" words="" name="$1"',
        '    local before="${COMP_WORDS[COMP_CWORD - 1]}"',
        '    [[ "$cur" == "=" ]] && cur="" && COMP_CWORD=$((COMP_CWORD + 1))',
        '    [[ "$before" == "=" ]] && before="${COMP_WORDS[COMP_CWORD - 2]}"',
        '    [[ "$1" == hlokit ]] && name="${COMP_WORDS[1]}"',
        '    case "$name $before" in',
        *_cases(
            {**subcommands, **{name: flags for name, flags in commands.items() if name != NAME}}, " " * 8
        ),
        "    esac",
        '    if [[ -n "$words" ]]; then',
        '        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur"); return 0',
        "    fi",
        '    case "$1" in',
    ]
    for name, flags in commands.items():
        lines.append(f"        {name}) words='{' '.join(map(_word, flags))}' ;;")
    lines += [
        "    esac",
        '    if [[ "$1" == hlokit && $COMP_CWORD -gt 1 ]]; then',
        '        case "${COMP_WORDS[1]}" in',
    ]
    for name, flags in subcommands.items():
        lines.append(f"            {name}) words='{' '.join(map(_word, flags))}' ;;")
    lines += [
        "        esac",
        "    fi",
        '    if [[ "$1" == hlokit && $COMP_CWORD -eq 1 && "$cur" != -* ]]; then',
        f"        words='{' '.join(subcommands)} help'",
        '    elif [[ "$1 ${COMP_WORDS[1]}" == "hlokit help" ]]; then',
        f"        words='{' '.join(subcommands)}'",
        '    elif [[ "$1 ${COMP_WORDS[1]}" == "hlokit completion" && "$cur" != -* ]]; then',
        f"        words='{' '.join(_SCRIPTS)}'",
        '    elif [[ "$cur" != -* ]]; then',
        '        mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return',
        "    fi",
        '    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")',
        '    [[ "${COMPREPLY[0]}" == *= ]] && compopt -o nospace',
        "    return 0",
        "}",
        f"complete -o filenames -F _hlokit {' '.join(commands)}",
    ]
    return "\n".join(lines) + "\n"


def _zsh(subcommands: Flags, commands: Flags) -> str:
    names = " ".join(commands)
    lines = [
        f"#compdef {names}",
        "# source <(hlokit completion zsh), or save this as _hlokit in a directory of $fpath.",
        "",
    ]
    lines += ["_hlokit() {", "case $service in", "  hlokit) case $words[2] in"]
    every = " ".join(subcommands)
    first = f"'1:subcommand:({every} help)'"
    lines.append(f"    help) _arguments {first} '2:subcommand:({every})' ;;")
    for name, flags in subcommands.items():
        others = f"'2:shell:({' '.join(_SCRIPTS)})'" if name == "completion" else "'*:file:_files'"
        lines.append(f"    {name}) _arguments {first} {others} {_described(flags)} ;;")
    lines += [f"    *) _arguments {first} '*:file:_files' {_described(commands['hlokit'])} ;;", "  esac ;;"]
    for name, flags in commands.items():
        if name != "hlokit":
            lines.append(f"  {name}) _arguments '*:file:_files' {_described(flags)} ;;")
    called = f'if [[ $funcstack[1] == _hlokit ]]; then _hlokit "$@"; else compdef _hlokit {names}; fi'
    return "\n".join([*lines, "esac", "}", called]) + "\n"


def _described(flags: Sequence[Flag]) -> str:
    return " ".join([f"'{_word(flag)}[{_quoted(flag.help)}]{_zsh_values(flag)}'" for flag in flags])


def _zsh_values(flag: Flag) -> str:
    if flag.name == "function":
        listing = "[[ -f $w ]] && hlokit info --functions $w 2>/dev/null"
        return f":NAME:{{compadd $(for w in $words; do {listing}; done)}}"
    values = _values(flag)
    return f":{flag.value}:({_quoted(' '.join(values))})" if values else ""


def _quoted(text: str) -> str:
    return text.replace("'", "'\\''").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")


def _fish(subcommands: Flags, commands: Flags) -> str:
    lines = ["# Save this as ~/.config/fish/completions/hlokit.fish"]
    lines += [f"complete -c hlokit -n __fish_use_subcommand -f -a {name}" for name in (*subcommands, "help")]
    seen = "'__fish_seen_subcommand_from {}'"
    lines.append(f"complete -c hlokit -n {seen.format('help')} -f -a '{' '.join(subcommands)}'")
    lines.append(f"complete -c hlokit -n {seen.format('completion')} -f -a '{' '.join(_SCRIPTS)}'")
    conditions = [("hlokit", f" -n {seen.format(name)}", flags) for name, flags in subcommands.items()]
    conditions += [("hlokit", " -n __fish_use_subcommand", commands["hlokit"])]
    conditions += [(name, "", flags) for name, flags in commands.items() if name != "hlokit"]
    for name, condition, flags in conditions:
        for flag in flags:
            letter = "-s" if len(flag.name) == 1 else "-l"
            takes = " -r" if flag.value is not None and flag.default is None else ""
            if values := _values(flag):
                takes = f" -x -a '{' '.join(values)}'"
            elif flag.name == "function":
                listing = "test -f $w; and hlokit info --functions $w 2>/dev/null"
                takes = f" -x -a '(for w in (commandline -opc); {listing}; end)'"
            text = flag.help.replace("\\", "\\\\").replace("'", "\\'")
            lines.append(f"complete -c {name}{condition} {letter} {flag.name}{takes} -d '{text}'")
    return "\n".join(lines) + "\n"


_SCRIPTS = {"bash": _bash, "zsh": _zsh, "fish": _fish}
