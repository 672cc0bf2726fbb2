# As far as hlokit uses it: `make check` does not require the extra `mcp`.
