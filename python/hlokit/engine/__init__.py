"""The engine: what evaluates a program.

`contract` has the interfaces between operations, kernels, regions and processes; `plan` what the planner
makes of a block; `interpreter` plans and chooses tiers; `native` compiles plans to native programs; `observe`
records values; `grid` runs the processes of a program.
"""
