"""custom_call and the functions that evaluate it.

`dispatch` evaluates the operation, `results` reads configurations and converts results, and `jax` has the
tables of the targets in JAX's programs: LAPACK on CPUs (`lapack`), GPUs and TPUs (`accelerators`), operations
with dynamic operands (`dynamic`).
"""
