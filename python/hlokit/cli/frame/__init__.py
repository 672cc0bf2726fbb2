"""The frame of a command: flags, exit status, messages in the place of tracebacks, supervision, MPI."""
