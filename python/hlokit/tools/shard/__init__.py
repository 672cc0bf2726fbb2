"""Checks shardings without devices: the memory, FLOPs and traffic of each device, and the results.

    whole program and shardings (`notation`)
        -> a child process partitions the program (in `partitioners`: `partition` asks `worker`, which runs
           `shardy` or `xla_partitioner`)
        -> `sharded.Sharded`: a program for each device, with the layout of its arguments and results
        -> run on the process grid and compared with the whole program (`comparison`)
        -> reported (`cost_model`, `reports`); ranked by `search`

`lint` finds collectives that deadlock or do not match, in any program for several processes.
"""
