"""Dialects other than StableHLO and CHLO: `arith`, `shape` and `tensor` for shape computations, `interpreter`
for process grids, printing and probes, `sdy` for Shardy.
"""
