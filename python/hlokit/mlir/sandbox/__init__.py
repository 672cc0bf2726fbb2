"""Parsing of unknown input in a child process, because the bindings can abort the process that calls them."""
