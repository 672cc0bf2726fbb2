"""Numbers of the reference: exact and correctly rounded functions of elements, and the rules for points that
the specification leaves open (`rules`)."""
