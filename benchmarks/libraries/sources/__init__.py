"""The functions that `benchmarks.libraries.export` traces: calls of JAX libraries, by field."""
