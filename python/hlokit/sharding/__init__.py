"""Checks shardings without devices: the memory, FLOPs and traffic of each device, and the results.

    whole program and shardings (`specs`, `meshes`, `gspmd`; read and written by `annotations`, `round_trip`)
        -> a child process partitions (`partition` asks `worker`, which runs `shardy` or `xla_partitioner`)
        -> `Sharded`: a program for each device, with the `layout` of its arguments and results
        -> run on the process grid and compared with the whole program (`checking`)
        -> reported: `flops`, `memory`, `traffic`, `estimates`, `report`, `drawing`; ranked by `search`

`lint` finds collectives that deadlock or do not match, in any program for several processes.
"""
