"""How far results are from the exact ones: `hlokit accuracy` and docs/accuracy.md.

- `formats`: ULPs and rounding of a float type, written anew so that nothing that is measured measures itself;
- `functions`: what each operation computes, exactly (mpmath) and quickly (NumPy's longdouble);
- `samples`: the inputs;
- `measure`: the errors of one operation, type and implementation;
- `sums`: dot products, reductions, transforms, conversions;
- `implementations`: hlokit, and others in a child process;
- `report`, `plot`: Markdown, JSON, SVG.
"""
