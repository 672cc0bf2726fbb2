"""The environment variables that hlokit reads, all of them."""

# Name -> what it does.
VARIABLES = {
    "HLOKIT_CPU": "the highest level of vector instructions that kernels use: baseline, avx2 or avx512",
    "HLOKIT_DISABLE": "fast paths to turn off, with commas between them, or all",
    "HLOKIT_THREADS": "threads that one operation may use (default: the processors of this process)",
    "HLOKIT_TRACEBACK": "set: a command that fails of a defect of hlokit prints the traceback",
}
