"""Subcommands that judge other implementations and other programs."""
