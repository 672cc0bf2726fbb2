"""The operations of CHLO, `check` and Shardy, and the custom calls of the reference."""
