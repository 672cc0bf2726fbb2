"""Functions that the cards of operations name: bounds of results.

- `bound_rules`, `bound_complex`: radii of results, element by element;
- `bound_sums`, `bound_arrays`: radii of results of operations on whole arrays;
- `bound_operations` has the operation of which a bound is computed; `terms` counts the terms of its sums.
"""
