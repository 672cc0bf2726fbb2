"""Functions that the cards of operations name: the shapes of results after operands became smaller."""
