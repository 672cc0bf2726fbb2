"""What a command reads and writes: input files and chunks, argument files, outputs, diagnostics, progress."""
