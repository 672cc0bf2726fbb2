"""The specification's constraints: who enforces each, and which test shows it."""
