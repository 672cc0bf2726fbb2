"""Input and output of commands: input files and chunks, argument files, outputs, diagnostics, progress."""
