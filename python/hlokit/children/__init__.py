"""Child processes: they end with their parents, and forks wait for imports of other threads."""
