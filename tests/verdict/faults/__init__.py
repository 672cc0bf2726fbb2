"""Faults: one operation of a program changed, so that the program still verifies.

`changes.py` changes what an operation is (its kind, attributes, constants, the order of its operands), `wiring.py`
what it is connected to. `planting.py` draws a fault by a seed.
"""
