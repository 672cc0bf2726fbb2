"""`hlokit.reduce`: shrinks a program while it keeps showing a fault."""
