"""Accuracy of a run: shadow values in higher precision, and checks of `result_accuracy`.

In reading order: `shadow` is the observer that evaluates every operation in higher precision as well; `wide`
plans operations with wider types, `wide_kernels` and `extended` compute them; `deviations` measures the
distance between a value and its shadow; `report` collects the deviations per operation. `result_accuracy`
compares results with the program's requirements. `bounds` is the observer that computes proven bounds of
values, by the rules of `bound_rules` (real elements), `bound_complex`, `bound_sums` and `bound_arrays`;
`bound_operations` has the view of an operation that the latter two share.
"""
