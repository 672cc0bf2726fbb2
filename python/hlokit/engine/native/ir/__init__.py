"""Instructions of the native VM over virtual registers and views, and the passes over instructions."""
