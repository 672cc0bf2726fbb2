"""The display of programs and values: MLIR text as lines and values, source lines, HTML for notebooks.

This room turns text into text: it imports neither the bindings nor NumPy. `locations.py` finds the user's
frames in locations. `listing.py` reads printed MLIR: operations, values, regions. `program_html.py` shows a
listing in colours; `html.py` has tables, styles and shared code; `junit.py` and `sarif.py` write reports for
other programs.
"""
