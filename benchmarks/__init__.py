"""Benchmarks of hlokit, the C++ reference interpreter and XLA:CPU.

`case` defines a case; `programs` and `libraries` contain all cases. `engines` loads and runs programs with
each implementation. `build` makes programs and `worker` measures them, each in a child process; `measure`
starts these processes and collects the best times; `report` makes `tables` of them; `__main__` is the
command.

Other commands: `versions` compares two versions of hlokit; `growth` measures time and memory against the size
of programs, `processes` collectives, `sharding` the partitioning of a program, `view` pages in a browser,
`differences` the cost of `hlokit diff`, `faults` its success at finding faults, and `reductions` the success
of `hlokit reduce`.
"""
