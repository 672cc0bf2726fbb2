"""Example inputs of a function: `uses` finds what makes sense for its parameters, `arrays` draws values."""
