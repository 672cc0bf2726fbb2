"""The MLIR bindings themselves: the choice of a provider, contexts, versions and diagnostics."""
