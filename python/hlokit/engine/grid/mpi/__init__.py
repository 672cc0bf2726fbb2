"""Grids of processes on MPI: rank n is process n. Requires mpi4py (the extra `mpi`).

`engine.py` runs sessions and grids; `process.py` is the interface to operations. Before a process waits, it
reports to `coordinator.py`, a thread of rank 0 that knows the wait of every rank; then `collectives.py` moves
values. Apart from the collectives, only `transport.py` calls MPI; `interrupts.py` ends the computation of a
rank when another rank has failed.
"""
