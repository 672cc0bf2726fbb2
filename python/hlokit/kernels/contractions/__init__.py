"""Sums of products: dot_general, convolution, einsum and ragged_dot.

In reading order: `sums` (the order in which floats are added), `native_products` (strided matrix products in
compiled code), `compensated` (f64 sums beyond f64 precision), `products` (the type in which each element type
is computed), `dot_general`, `window_products` under `convolution`, `einsum`, `ragged_dot`.
"""
