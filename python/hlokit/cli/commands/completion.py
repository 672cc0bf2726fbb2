"""`hlokit completion SHELL`: scripts that complete command lines, generated from the tables of flags."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from hlokit.cli.frame.flags import Flag
from hlokit.cli.frame.subcommands import flags_of
from hlokit.errors import ArgumentError


def print_completion(inputs: Sequence[str], subcommands: Sequence[str], flags: Sequence[Flag]) -> int:
    """Run the command; its exit status.

    Raises:
      ArgumentError: there is no such shell.
    """
    # These modules have further flags and are slow to import; only this command needs all of them.
    from hlokit.cli.upstream import opt, translate

    commands = {"hlokit": flags, translate.NAME: translate.FLAGS, opt.NAME: opt.FLAGS}
    if len(inputs) != 1 or inputs[0] not in _SCRIPTS:
        raise ArgumentError(f"completion: one shell must be given, one of {', '.join(_SCRIPTS)}")
    own = {name: flags_of(name, flags, subcommands) for name in subcommands}
    sys.stdout.write(_SCRIPTS[inputs[0]](own, commands))
    return 0


# Name of a command or of a subcommand of hlokit -> its flags.
Flags = Mapping[str, Sequence[Flag]]


def _word(flag: Flag) -> str:
    ends = "=" if flag.value is not None and flag.default is None and len(flag.name) > 1 else ""
    return f"{flag.spelling}{ends}"


def _bash(subcommands: Flags, commands: Flags) -> str:
    lines = [
        "# Completion of hlokit's commands for bash: source this, or save it in",
        "# ~/.local/share/bash-completion/completions/hlokit",
        "_hlokit() {",
        '    local cur="${COMP_WORDS[COMP_CWORD]}" words',
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
    lines = [f"#compdef {' '.join(commands)}", "# Save this as _hlokit in a directory of $fpath.", ""]
    lines += ["case $service in", "  hlokit) case $words[2] in"]
    first = f"'1:subcommand:({' '.join(subcommands)})'"
    for name, flags in subcommands.items():
        others = f"'2:shell:({' '.join(_SCRIPTS)})'" if name == "completion" else "'*:file:_files'"
        lines.append(f"    {name}) _arguments {first} {others} {_described(flags)} ;;")
    lines += [f"    *) _arguments {first} '*:file:_files' {_described(commands['hlokit'])} ;;", "  esac ;;"]
    for name, flags in commands.items():
        if name != "hlokit":
            lines.append(f"  {name}) _arguments '*:file:_files' {_described(flags)} ;;")
    return "\n".join([*lines, "esac"]) + "\n"


def _described(flags: Sequence[Flag]) -> str:
    return " ".join([f"'{_word(flag)}[{_quoted(flag.help)}]'" for flag in flags])


def _quoted(text: str) -> str:
    return text.replace("'", "'\\''").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")


def _fish(subcommands: Flags, commands: Flags) -> str:
    lines = ["# Save this as ~/.config/fish/completions/hlokit.fish"]
    lines += [f"complete -c hlokit -n __fish_use_subcommand -f -a {name}" for name in subcommands]
    seen = "'__fish_seen_subcommand_from {}'"
    lines.append(f"complete -c hlokit -n {seen.format('completion')} -f -a '{' '.join(_SCRIPTS)}'")
    conditions = [("hlokit", f" -n {seen.format(name)}", flags) for name, flags in subcommands.items()]
    conditions += [("hlokit", " -n __fish_use_subcommand", commands["hlokit"])]
    conditions += [(name, "", flags) for name, flags in commands.items() if name != "hlokit"]
    for name, condition, flags in conditions:
        for flag in flags:
            letter = "-s" if len(flag.name) == 1 else "-l"
            takes = " -r" if flag.value is not None and flag.default is None else ""
            text = flag.help.replace("\\", "\\\\").replace("'", "\\'")
            lines.append(f"complete -c {name}{condition} {letter} {flag.name}{takes} -d '{text}'")
    return "\n".join(lines) + "\n"


_SCRIPTS = {"bash": _bash, "zsh": _zsh, "fish": _fish}
