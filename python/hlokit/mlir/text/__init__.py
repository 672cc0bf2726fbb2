"""MLIR text without the bindings: lexer, depth of nesting, splitting, the assembly of `check` operations."""
