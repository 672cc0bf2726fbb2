"""Functions that the cards of operations name: shadows, bounds, expected results.

- `extended`, `extended_complex`: functions of longdouble; `wide_kernels`: kernels of wider types; `widening`:
  the wider type of each type;
- `bound_rules`, `bound_complex`: radii of results, element by element; `bound_sums`, `bound_arrays`: of whole
  arrays; `bound_operations` has the view of an operation that the latter two share;
- `samples`, `exact`: inputs and expected results of functions.
"""
