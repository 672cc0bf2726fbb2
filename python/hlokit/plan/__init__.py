"""Plans of blocks, and their evaluation. Knows no MLIR.

- `plan`: a `Plan` is a block as `Step`s over numbered slots, with the slots that die after each step;
- `block`: a `Block` (function body or region) asks for its plan when it first runs, and hands it to its
  `Tiers`: one `Tier` for the first run, one for later runs, one for whole arrays instead of scalars, one for
  loop bodies that update arrays in place;
- `executors`: `run_steps` loops over the steps. `generate` writes them as one Python function and compiles
  it, some 10 us per step, after which a step costs little more than the call of its kernel. `run_observed`
  calls an observer;
- `partial_sort`: the rewrite of sorts whose later elements are not used;
- `evaluate`: runs a function. Errors cost nothing until they happen: each executor frame of a traceback
  leads to the step that it was evaluating, which gives operation, location, operand types and the call
  path;
- `locations`: source positions in MLIR's locations.
"""
