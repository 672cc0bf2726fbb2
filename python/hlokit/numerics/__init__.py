"""How far a run is from exact: values in more precision beside those of the program, demands on results."""
