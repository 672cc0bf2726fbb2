"""Subcommands that judge other implementations."""
