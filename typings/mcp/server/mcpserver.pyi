from collections.abc import Callable
from typing import Any, Literal, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

class MCPServer:
    def __init__(
        self,
        name: str | None = None,
        *,
        instructions: str | None = None,
        version: str = "",
        log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"] = "INFO",
    ) -> None: ...
    def tool(self, name: str | None = None, *, description: str | None = None) -> Callable[[F], F]: ...
    def resource(self, uri: str, *, mime_type: str | None = None) -> Callable[[F], F]: ...
    def run(self, transport: Literal["stdio", "sse", "streamable-http"] = "stdio") -> None: ...
