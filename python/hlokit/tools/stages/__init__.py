"""Certifies a compiler stage by stage: which of its passes changes what a program computes.

`run` has the entry `certify`. `compilers`, `dumps` and `printed` give the stages of a compiler as snapshots
of the program; `judging` evaluates each snapshot and compares it with the one before, without the values that
a stage did not change, which `values` knows; `report` shows all.
"""
