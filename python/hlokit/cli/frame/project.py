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
    if subcommand not in SUBCOMMANDS:
        return []
    path, table = _nearest_table()
    if path is None:
        return []
    own = _table(table.get(subcommand, {}), f"tool.hlokit.{subcommand}", path)
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
            tools = _tools(path)
            if "hlokit" in tools:
                return path, _table(tools["hlokit"], "tool.hlokit", path)
    return None, {}


def _tools(path: Path) -> dict[str, Any]:
    """The table `tool` of a file."""
    text = path.read_bytes()
    if b"hlokit" not in text:  # most projects
        return {}
    import tomllib

    try:
        settings = tomllib.loads(text.decode())
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: {error}") from None
    return _table(settings.get("tool", {}), "tool", path)


def _table(value: object, name: str, path: Path) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise UsageError(f"{path}: {name} must be a table, got {value!r}")
    return cast("dict[str, Any]", value)
