"""Which values of HLO modules are the same by structure, and the parts of modules that are not."""
