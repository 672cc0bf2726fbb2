"""What an operation, a kernel, a region and a process are to each other.

In reading order:

- `registry`: a *bind function* takes an `Operation` (types, attributes, regions) and gives a `Kernel`, a
  pure function from arrays to a result, or a `Constant`. It runs once per operation, when its block is
  planned;
- `region`: what a kernel may ask of its regions and of functions;
- `array_ops`: what operations that move, pick or combine elements do, as data for compilers;
- `traits`: the table of operations, a row each: what passes, compilers and observers ask. `trait_legend`
  says what the traits mean;
- `lazy_modules`: the module of an operation is imported when the operation is first planned, since importing
  all takes as long as running a small program;
- `custom_calls`: functions that users register for `stablehlo.custom_call`;
- `process`, `process_groups`, `run_context`: a process of a grid, its groups, and what a run shares
  besides values;
- `switches`, `thresholds`, `threads`: `HLOKIT_DISABLE`, the sizes from which faster ways are worth it,
  `HLOKIT_THREADS`.
"""
