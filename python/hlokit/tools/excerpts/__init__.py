"""Programs made from parts of a run: some operations of a program, on their operands in the run."""
