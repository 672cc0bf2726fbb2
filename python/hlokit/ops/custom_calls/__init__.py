"""custom_call and the functions behind it.

`dispatch` evaluates the operation, `results` reads configurations and shapes results, and `jax` has the
tables of the targets that JAX's programs use: LAPACK on CPUs (`lapack`), GPUs and TPUs (`accelerators`),
operations with dynamic operands (`dynamic`).
"""
