"""`hlokit completion SHELL`: scripts that complete command lines, generated from the tables of flags."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from hlokit.cli.frame.flags import Flag
from hlokit.errors import ArgumentError


def print_completion(inputs: Sequence[str], subcommands: Sequence[str], flags: Sequence[Flag]) -> int:
    """Run the command; its exit status.

    Raises:
      ArgumentError: there is no such shell.
    """
    # These modules have further flags and are slow to import; only this command needs all of them.
    from hlokit.cli.upstream import opt, translate

    commands = {"hlokit": flags, translate.NAME: translate.FLAGS, opt.NAME: opt.FLAGS}
    scripts = {"bash": _bash, "zsh": _zsh, "fish": _fish}
    if len(inputs) != 1 or inputs[0] not in scripts:
        raise ArgumentError(f"completion: one shell must be given, one of {', '.join(scripts)}")
    sys.stdout.write(scripts[inputs[0]](subcommands, commands))
    return 0


Commands = dict[str, Sequence[Flag]]


def _word(flag: Flag) -> str:
    ends = "=" if flag.value is not None and flag.default is None and len(flag.name) > 1 else ""
    return f"{flag.spelling}{ends}"


def _bash(subcommands: Sequence[str], commands: Commands) -> str:
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
        '    if [[ "$1" == hlokit && $COMP_CWORD -eq 1 && "$cur" != -* ]]; then',
        f"        words='{' '.join(subcommands)}'",
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


def _zsh(subcommands: Sequence[str], commands: Commands) -> str:
    lines = [f"#compdef {' '.join(commands)}", "# Save this as _hlokit in a directory of $fpath.", ""]
    lines += ["case $service in"]
    for name, flags in commands.items():
        described = [f"'{_word(flag)}[{_quoted(flag.help)}]'" for flag in flags]
        first = f"'1:subcommand:({' '.join(subcommands)})' " if name == "hlokit" else ""
        lines.append(f"  {name}) _arguments {first}'*:file:_files' {' '.join(described)} ;;")
    return "\n".join([*lines, "esac"]) + "\n"


def _quoted(text: str) -> str:
    return text.replace("'", "'\\''").replace("[", "(").replace("]", ")").replace(":", ";")


def _fish(subcommands: Sequence[str], commands: Commands) -> str:
    lines = ["# Save this as ~/.config/fish/completions/hlokit.fish"]
    lines += [f"complete -c hlokit -n __fish_use_subcommand -f -a {name}" for name in subcommands]
    for name, flags in commands.items():
        for flag in flags:
            letter = "-s" if len(flag.name) == 1 else "-l"
            takes = " -r" if flag.value is not None and flag.default is None else ""
            text = flag.help.replace("\\", "\\\\").replace("'", "\\'")
            lines.append(f"complete -c {name} {letter} {flag.name}{takes} -d '{text}'")
    return "\n".join(lines) + "\n"
