"""Combines the rooms below: from a module to plans, and from plans to tiers.

- `planner`: asking the bindings for an operation, its operands and their types takes some 5 us. So the native
  reader reads the module as bytecode, numbers the operands and results of each block, and finds operations of
  one *kind* (equal name, types and attributes). The planner binds the first operation of each kind and makes
  all steps of the kind with that kernel: some 1 us per operation in all;
- `tiers`: which rewrites and which executor each tier has;
- `memory`: keeps freed memory of arrays in the process.

MLIR objects live as long as the program: a region that no run has reached is still IR, and a step keeps
its operation for the location in error messages. Kernels and executors touch no MLIR object.
"""
