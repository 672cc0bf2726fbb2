"""The commands: the only code that prints, reads the command line, or exits."""
