"""Puts the rooms together: from a module to plans, and from plans to tiers.

- `planner`: asking the bindings for an operation, its operands and their types takes some 5 us. So the
  module is written as bytecode into the native reader, which numbers what each block reads and writes and
  finds operations of one *kind* (equal name, types and attributes). The planner binds the first operation
  of each kind and makes all steps of the kind with that kernel: some 1 us an operation in all;
- `tiers`: which rewrites and which executor each tier has;
- `memory`: memory that arrays have freed stays with the process.

MLIR objects live as long as the program: a region that no run has reached is still IR, and a step keeps
its operation for the location in error messages. Kernels and executors touch none of them.
"""
