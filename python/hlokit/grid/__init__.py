"""Grids of processes: how `replicas` x `partitions` copies of a program run and exchange values.

`rendezvous.py` has the state that every grid keeps: arrivals at collective operations, waits, messages, and
the text of a deadlock. `threads.py` runs a grid on threads of this process, and gives operations the current
process. `mpi/` runs a grid on ranks of MPI. Operations use both through `contract/process.py`.
"""
