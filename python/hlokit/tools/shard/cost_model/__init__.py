"""The costs of the program of one device: FLOPs, memory, traffic, and estimated times."""
