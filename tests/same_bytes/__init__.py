"""A run is a function of its inputs: the same bytes in every call, tier, number of threads and level of processor."""
