"""Element-wise operations.

In reading order: `cache_blocking` (arrays one cache-sized block at a time), `narrow_floats` (conversion by
table), `blocked_kernels` and `kernel_factories` (the computation of each kind of element type), `native`
(kernels of the native VM), then the operations: `arithmetic`, `transcendental`, `compare_and_select`,
`convert`, `bits`, `chlo`, `chlo_broadcast`. The array functions that they use are in `integer_functions`,
`complex_functions`, `error_free` and `special_functions` with `special_roots` and `special_tables`.
"""
