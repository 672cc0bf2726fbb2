"""Functions that the cards of operations name: shadows, samples, expected results.

- `extended`, `extended_complex`: functions of longdouble; `wide_kernels`: kernels of wider types; `widening`:
  the wider type of each type;
- `samples`, `exact`: inputs and expected results of functions.
"""
