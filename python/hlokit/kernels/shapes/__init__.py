"""Operations that move elements without computation, or create elements.

In reading order: `specialization` (kernels for the shapes of their operands), `data_movement` (reshape,
transpose, broadcast, concatenate, reverse, pad), `constants` (constant, iota), `dimension_sizes`, `slicing`,
`index_vectors` and `gather`. `strided` creates views in which elements repeat.
"""
