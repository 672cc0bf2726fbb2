"""What every pass is made of: the contract of a pass, rewrite patterns, and builders of operations."""
