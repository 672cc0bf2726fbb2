"""Versions of StableHLO: write for a consumer, read what a producer wrote, and say what stands in the way."""
