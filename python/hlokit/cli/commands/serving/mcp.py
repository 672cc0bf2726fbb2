"""`hlokit mcp`: tools for agents, by the Model Context Protocol (docs/mcp.md)."""

from __future__ import annotations

from hlokit.cli.frame.flags import Values
from hlokit.cli.frame.parser import Parser, Subcommand
from hlokit.errors import ArgumentError


def _add_arguments(_: Parser) -> None:
    """The command has no arguments: the client says everything in its requests."""


def _serve(_: Values) -> int:
    try:
        from hlokit.clients.mcp.server import make_server  # requires the extra `mcp`
    except ModuleNotFoundError:
        raise ArgumentError("mcp: the MCP SDK must be installed (pip install 'hlokit[mcp]')") from None
    from importlib.metadata import version

    make_server(version("hlokit")).run("stdio")
    return 0


SUBCOMMAND = Subcommand(
    "mcp",
    "",
    "tools for agents over the standard input and output (docs/mcp.md)",
    _add_arguments,
    _serve,
)
