"""Functions that the cards of operations name: shapes and types of results, guards of folding."""
