"""The operations of StableHLO: one file is one chapter, each operation is one function."""
