"""Whether the rows of a batch keep their bytes whatever the other rows are.

`trials` changes the other rows and compares, `sizes` makes programs for batches of other sizes. `coupling`
tells by exact numbers whether a row depends on others at all, and `naming` names the first operation that
changes bytes although it need not.
"""
