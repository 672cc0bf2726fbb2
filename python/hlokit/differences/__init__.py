"""Which operation gives other values on another side, and by how much."""
