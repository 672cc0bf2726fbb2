"""From a module to plans, and from plans to tiers: combines the rooms below.

- `planner`: the bindings take some 5 us to return an operation, its operands and their types. Therefore the
  native reader reads the module as bytecode, numbers the operands and results of each block, and finds
  operations of one *kind* (equal name, types and attributes). The planner binds the first operation of each
  kind and creates all steps of the kind with that kernel, in some 1 us per operation;
- `tiers`: the rewrites and the executor of each tier;
- `memory`: keeps the memory of freed arrays in the process.

MLIR objects live as long as the program: a region that no run has reached is still IR, and a step keeps its
operation for the location in error messages. Kernels and executors access no MLIR object.
"""
