"""The only package that imports the MLIR bindings."""
