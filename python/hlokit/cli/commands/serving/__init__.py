"""Subcommands that answer requests of other programs: `serve`, `mcp`."""
