"""The costs of a program of one device: FLOPs, memory, traffic, and estimated times."""
