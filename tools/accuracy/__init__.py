"""Errors of results against exact results: `python -m tools.accuracy` and docs/accuracy.md.

- `formats`, `rounding`: ULPs and rounding of a float type, independent of the code that is measured;
- `functions`: the operations that are measured; their cards name exact functions (mpmath) and quick ones
  (NumPy's longdouble), which are in `numerics.rules`;
- `samples`: the inputs;
- `measure`, `curves`: the errors of one operation, type and implementation;
- `sums`, `einsums`: dot products, reductions, transforms, conversions;
- `screen`, `exhaustive`, `pairs`: all inputs of a function, with mpmath only where f64 cannot decide;
- `implementations`, `worker`: hlokit, and other implementations in a child process;
- `run`: everything that the command measures; `versions`, `report`, `plot`: Markdown, JSON, SVG.
"""
