"""A sharded program for readers: the report, the drawing for notebooks, and the page."""
