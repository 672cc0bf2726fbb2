"""Versions of StableHLO: writing artifacts for a consumer, reading artifacts of any producer, explaining
failures.

In reading order: `versions` is the table of releases; `serialize` writes portable artifacts and `deserialize`
converts VHLO to StableHLO; `requirements` finds the version that each part of a program requires, with
`scratch` (single operations in separate modules), `spelling`, `unportable` and `modules`; `report` lists the
versions that can hold a program. `info` describes a file from its tables, with `encodings`. `upgrade`
rewrites old text.
"""
