"""Whether two programs mean the same over exact arithmetic, decided by runs on exact numbers.

`rules` are functions that cards name: arithmetic in a field, arrays of exact numbers, and what operations do
with them. `variant` plans a program on exact numbers, `runs` evaluates it, `following` and `constant_values`
observe such runs. `sides` are what can be compared, `results` compares what they return, `comparing` decides,
`crossing` tries arguments for which comparisons decide otherwise, and `verdict` is the answer. `proofs` are
about all arguments, bit by bit.
"""
