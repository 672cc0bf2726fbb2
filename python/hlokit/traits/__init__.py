"""The table of operations: `table` has a row per operation, and `legend` defines the traits of the rows."""
