"""Compiler passes that the bindings lack, and pipelines of hlokit's and the bindings' passes.

`framework.registry` defines the contract of a pass, and `table.PASSES` has all passes. `pipeline`
parses and runs pipelines, `pipelines` has upstream's named pipelines, `native` lists the bindings' passes.
One module or package per pass: `simplification`, `folding`, `target_independent`, `broadcast`, `infer`,
`inline`, `probe_instrumentation`, `speculatability`, `unrealized_casts`. Shared parts: `inference` (result
types), `reify` (result shapes), `framework.building` (new operations), `framework.rewriting` (patterns in
MLIR's greedy driver), and `rules`, the functions that the cards of operations name.
"""
