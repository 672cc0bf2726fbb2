"""Child processes: they end with their parents, and leave neither processes nor files behind."""
