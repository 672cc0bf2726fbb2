"""Grids of processes: `replicas` x `partitions` copies of a program, which run and exchange values.

`rendezvous.py` has the state of every grid: arrivals at collective operations, waits, messages, and the text
of a deadlock. `threads.py` runs a grid on threads of this process, and returns the current process to
operations. `mpi/` runs a grid on ranks of MPI. Operations use both through `engine/contract/process.py`.
"""
