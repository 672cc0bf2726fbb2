"""The operations of CHLO, `check` and Shardy, and the custom calls that hlokit knows."""
