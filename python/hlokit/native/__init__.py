"""The compiler from plans to native programs, which the VM in `lib/` runs.

In reading order:

- `target`: the types, operations and instruction encoding of the VM.
- `fusion`, `fusion_builder`: pointwise operations and row reductions on large arrays, fused.
- `views`, `instructions`: strided views of virtual registers, and instructions over these.
- `builder`, `lowering`, `lower_array_ops`, `lower_windows`, `peephole`: from steps to instructions.
- `register_allocation`: liveness, copy coalescing and shared memory.
- `calls`: kernels that a native loop calls, for steps that the VM has no instructions for.
- `program`: lowered steps as a program that is called with values.
- `loops`, `straight_line`: while loops, and runs of steps on small tensors, as programs.
- `bodies`: bodies of reductions, windows, scatters and comparators, for the native loops over arrays.
- `in_place`: loop bodies that update arrays in place. `copies`: copies to row-major order, on all threads.
"""
