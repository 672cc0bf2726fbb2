"""Measurements of hlokit beside the C++ reference interpreter and XLA:CPU."""
