"""Grids of processes on MPI: rank n is process n. Needs mpi4py (the extra `mpi`).

`engine.py` runs sessions and grids; `process.py` is the process that operations see. Before a process waits
it asks `coordinator.py`, a thread of rank 0 that knows what every rank waits for; then `collectives.py`
moves values. `transport.py` is the only code that talks to MPI, but for the collectives; `interrupts.py`
ends the computation of a rank when another rank has failed.
"""
