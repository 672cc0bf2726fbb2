"""Lowers the steps of a block to instructions: `blocks` lowers each step by the module of its family."""
