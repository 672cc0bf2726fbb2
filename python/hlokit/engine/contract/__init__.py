"""The interfaces between operations, kernels, regions and processes.

In reading order:

- `registry`: a *bind function* takes an `Operation` (types, attributes, regions) and returns a `Kernel`, a
  pure function from arrays to a result, or a `Constant`. The bind function runs once per operation, when the
  block is planned;
- `region`: the interface of regions and functions to kernels;
- `array_ops`: operations that move, select or combine elements, described as data for compilers;
- `custom_calls`: functions that users register for `stablehlo.custom_call`; `lazy_modules`: modules that
  register such functions, imported on first use;
- `process`, `process_groups`, `run_context`: a process of a grid, its groups, and the state that a run shares
  besides values;
- `switches`, `thresholds`, `threads`: `HLOKIT_DISABLE`, the sizes above which fast paths are faster,
  `HLOKIT_THREADS`.
"""
