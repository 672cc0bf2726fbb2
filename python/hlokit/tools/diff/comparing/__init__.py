"""The verdict about one value: the allowed difference, open values, and findings."""
