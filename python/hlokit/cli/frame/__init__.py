"""The frame of a command: flags, exit status, messages instead of tracebacks, supervision, MPI."""
