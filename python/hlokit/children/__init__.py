"""Child processes: they end with their parents."""
