"""`hlokit.reduce`: a program made small that still does what it should not."""
