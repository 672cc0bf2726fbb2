"""Kernels of the operations, one folder per family of the specification.

In reading order; each folder uses only earlier folders:

- `shapes`: moving, slicing, gathering and repeating elements, and sizes of dimensions;
- `elementwise`: arithmetic, functions, comparison, conversion;
- `contractions`: dot_general, convolution, einsum;
- `regions`: operations that apply a region to elements: reductions, windows, scatter, sort, map;
- `normalization`, `random`, `linalg`, `processes`, `quantized`, `control_flow`: small families;
- `dialects`: operations of arith, interpreter, sdy, shape and tensor;
- `custom_calls`: functions for `custom_call`;
- `checks`: `check.*` and its comparison rules.

The cards of operations (`hlokit.operations`) name the bind functions. The registry imports a module when a
program first uses one of its operations.
"""

from hlokit.engine.contract.lazy_modules import register_custom_calls_lazily

register_custom_calls_lazily(__name__, ("shapes.dimension_sizes", "custom_calls.jax"))
