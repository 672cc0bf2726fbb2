"""Benchmarks of hlokit, the C++ reference interpreter and XLA:CPU.

`case` defines a case, `programs` has all cases. `engines` loads and runs
programs with each implementation; `build` makes programs and `worker` measures them, each in a child process;
`measure` starts these processes and collects the best times; `__main__` is the command. `processes` measures
collectives, `faults` the success of `hlokit diff` at finding faults.
"""
