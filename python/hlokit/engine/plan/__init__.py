"""Plans of blocks, and their evaluation, without MLIR.

- `plan`: a `Plan` represents a block as `Step`s over numbered slots, with the slots that die after each step;
- `block`: a `Block` (function body or region) requests its plan when the block first runs, and passes the
  plan to its `Tiers`: one `Tier` for the first run, one for later runs, one for whole arrays instead of
  scalars, one for loop bodies that update arrays in place;
- `executors`: `run_steps` loops over the steps. `generate` writes the steps as one Python function and
  compiles the function, in some 10 us per step; then a step costs little more than the call of its kernel.
  `run_observed` calls an observer;
- `partial_sort`: the rewrite of sorts whose later elements are not used;
- `evaluate`: runs a function. Errors cost nothing until they happen: each executor frame of a traceback leads
  to the step that it evaluates, and the step to operation, location and operand types;
- `locations`: source positions in MLIR's locations.
"""
