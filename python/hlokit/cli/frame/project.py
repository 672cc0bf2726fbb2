"""`[tool.hlokit]` of pyproject.toml: flags of `verify` and `lint-spmd` for a project.

    [tool.hlokit]
    format = "github"

    [tool.hlokit.verify]
    strict = true

The nearest pyproject.toml of this folder and those above it counts, if it has such a table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from hlokit.cli.frame.flags import Flag, UsageError, is_flag, name_and_value
from hlokit.display.suggestions import did_you_mean

# The subcommands whose flags a project may state.
SUBCOMMANDS = ("verify", "lint-spmd")


def stated_flags(subcommand: str, flags: Mapping[str, Flag], arguments: Sequence[str]) -> list[str]:
    """The flags that the project states and the command line does not.

    Raises:
      UsageError: the file is no TOML, or it states what the subcommand does not have.
    """
    path, table = _nearest_table()
    if subcommand not in SUBCOMMANDS or path is None:
        return []
    own: dict[str, Any] = table.get(subcommand, {})
    general = {name: value for name, value in table.items() if name not in SUBCOMMANDS}
    for name in (*general, *own):
        if name not in flags:
            raise UsageError(f"{path}: [tool.hlokit] has no setting {name}{did_you_mean(name, flags)}")
    on_line = {name_and_value(word)[0] for word in arguments if is_flag(word)}
    if "json" in on_line:
        on_line.add("format")
    stated = {name: value for name, value in {**general, **own}.items() if name not in on_line}
    return [_spelled(flags[name], value, path) for name, value in stated.items()]


def _spelled(flag: Flag, value: object, path: Path) -> str:
    wanted = bool if flag.value is None else str
    if not isinstance(value, wanted):
        kind = "true or false" if flag.value is None else "a text"
        raise UsageError(f"{path}: {flag.name} of [tool.hlokit] must be {kind}, got {value!r}")
    return f"{flag.spelling}={str(value).lower() if flag.value is None else value}"


def _nearest_table() -> tuple[Path | None, dict[str, Any]]:
    for folder in (here := Path.cwd(), *here.parents):
        path = folder / "pyproject.toml"
        if path.is_file():
            table = _table(path)
            if table is not None:
                return path, table
    return None, {}


def _table(path: Path) -> dict[str, Any] | None:
    text = path.read_bytes()
    if b"tool.hlokit" not in text:  # most projects
        return None
    import tomllib

    try:
        tools: dict[str, Any] = tomllib.loads(text.decode()).get("tool", {})
    except ValueError as error:
        raise UsageError(f"{path}: {error}") from None
    table = tools.get("hlokit")
    return cast("dict[str, Any]", table) if isinstance(table, dict) else None
