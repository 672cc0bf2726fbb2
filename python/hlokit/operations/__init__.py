"""The operations: everything that hlokit says about an operation by its name.

- `cards`: one typed record for each operation, one file for each chapter of the specification;
- `traits`: the properties of operations that passes, executors, observers and compilers use;
- `index`: a table of the cards' names, kernels, opcodes and traits, which `python -m tools.generate` writes.
  A program that starts reads the index, because the cards import all kernels;
- `lookup`: questions to the index.

No other place in the package lists operations by name: `tests/meta/test_operations.py` rejects such lists.
"""
