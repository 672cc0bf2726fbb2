"""Programs made from parts of a run: some operations of another program on the operands that they had."""
