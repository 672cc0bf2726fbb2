"""MLIR text without the bindings: lexer, depth of nesting, splitting, and the assembly of `check`
operations."""
