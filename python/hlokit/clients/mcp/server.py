"""The server: tools and pages of operations over the standard input and output."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import wraps
from typing import Any

from mcp.server.mcpserver import MCPServer

from hlokit.clients.mcp import pages
from hlokit.clients.mcp.tools import TOOLS, Answer

_INSTRUCTIONS = """Tools for StableHLO programs. `program` is the path of a file (MLIR text or bytecode,
jax.export, HLO) or MLIR text. Start with `info` or `verify`. If a program gives wrong numbers, `diff` finds
the operation, and `explain` says what is at the line that it names; `passes` if no single operation is
wrong; `reduce` for a small program. Exit status 0 is good, 1 is a finding, 2 means that nothing could be
compared."""


def make_server(version: str) -> MCPServer:
    """A server with all tools and pages."""
    server = MCPServer("hlokit", version=version, instructions=_INSTRUCTIONS, log_level="ERROR")
    for tool in TOOLS:
        server.tool(name=tool.__name__, description=tool.__doc__)(_in_thread(tool))

    @server.resource("hlokit://operations", mime_type="text/plain")
    def operations() -> str:
        """The names of all operations."""
        return "\n".join(pages.operations())

    @server.resource("hlokit://operations/{name}", mime_type="text/markdown")
    def operation(name: str) -> str:
        """What an operation means, and the function that defines it."""
        return pages.page(name)

    return server


def _in_thread(tool: Callable[..., Answer]) -> Callable[..., Any]:
    """The tool as a coroutine: the server answers other requests meanwhile."""

    @wraps(tool)
    async def call(**parameters: Any) -> Answer:
        return await asyncio.to_thread(tool, **parameters)

    return call
