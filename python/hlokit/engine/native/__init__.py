"""The compiler from plans to native programs, which the VM in `lib/` runs.

In reading order:

- `ir`: the VM's types, operations and instruction encoding (`target`); strided views of virtual registers,
  and instructions over these (`views`, `instructions`); merged instructions (`definitions`, `peephole`);
  liveness (`live_ranges`); copy coalescing and shared memory (`register_allocation`).
- `lowerings`: from the steps of a block to instructions (`builder`; `control_flow`, with `trip_counts` of
  loops to unroll and loop `invariants`; `blocks`; `array_ops`, which calls the functions of one module per
  family of operations); kernels that a native loop calls, for steps that the VM has no instructions for
  (`calls`).
- `fused`: pointwise operations and row reductions on large arrays, fused: the same lowering, with registers
  that may hold one value for each row (`fusion`, `fusion_lowering`, `fusion_kernel`); copies to row-major
  order, on all threads (`copies`).
- `program`: lowered steps as a program that is called with values.
- `loops`, `straight_line`: while loops, and runs of steps on small tensors, as programs.
- `bodies`: bodies of reductions, windows, scatters and comparators, lowered in the same way to programs
  without jumps, for the kernels over arrays.
- `in_place`: loop bodies that update arrays in place.
"""
