"""What people do with programs.

`diff` finds the operation that differs, `reduce` makes a program small, `view` and `tracing` show a program
and its run, `shard` checks shardings, `numerics` precision; `recording` keeps runs, `excerpts` cuts programs
out of runs; `backends` are other implementations, `conformance` runs their tests; `service` infers and
verifies for other programs.
"""
