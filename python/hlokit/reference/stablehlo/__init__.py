"""The operations of StableHLO: each file is a chapter, each operation a function."""
