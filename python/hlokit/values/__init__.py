"""Values and their types; knows nothing of MLIR."""
