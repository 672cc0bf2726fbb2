"""Programs made of what a run of another program computed: some operations on the operands that they had."""
