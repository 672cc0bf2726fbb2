"""The presentation of a sharded program: the report, the drawing for notebooks, and the page."""
