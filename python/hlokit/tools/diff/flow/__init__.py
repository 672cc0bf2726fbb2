"""The flow of values: through calls, branches and loops of a program, and in an observed run."""
