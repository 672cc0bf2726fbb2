"""Versions of StableHLO: write artifacts for a consumer, read artifacts of any producer, explain failures.

In reading order: `versions` is the table of releases; `serialize` writes portable artifacts and `deserialize`
converts VHLO to StableHLO; `requirements` finds the version that each part of a program requires, with
`scratch` (single operations in modules of their own), `spelling`, `unportable` and `modules`; `report` lists
the versions that can hold a program. `info` describes a file from its tables, with `encodings`. `upgrade`
rewrites old text.
"""
