"""What `benchmarks.libraries.export` traces: functions that call JAX libraries, by field."""
