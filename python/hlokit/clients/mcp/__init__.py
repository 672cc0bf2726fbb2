"""`hlokit mcp`: hlokit's commands as tools of the Model Context Protocol, for agents (docs/mcp.md).

`commands` runs a subcommand in a child process with a time limit, `bounded` cuts long answers, `tools` has
the tools, `pages` the pages of operations, and `server` offers both over the standard streams.
"""
