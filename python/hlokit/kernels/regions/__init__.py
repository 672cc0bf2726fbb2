"""Operations that apply a region to elements: reductions, windows, scatter, sort, map.

In reading order: `reducers` (bodies applied to whole arrays), `reduce` with `arg_extremum` (argmax and
argmin), `windows` (their geometry) under `reduce_window`, `scatter_combiners` (which apply an update
computation at indices that may repeat) under `scatter` and `select_and_scatter`, `comparators` (the keys of
a comparator) under `sort`, `top_k`, `scan` and `map`.
"""
