"""`hlokit.reduce`: shrinks a program to a small program with the same fault."""
