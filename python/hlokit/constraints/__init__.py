"""The specification's constraints: their verifiers and tests, and the strict verifier.

The TOML files are the table, one file per family of operations; `table` reads it. `strict` is the strict
verifier: it runs the checks of constraints that the bindings do not enforce. The other modules contain these
checks, one per family (`collectives`, `contraction`, `control_flow`, `convolution`, `dynamic`, `elementwise`,
`gather_scatter`, `reducers`, `reductions`, `transfers`). `checks`, `reading` and `types` are shared by all
checks.
"""
