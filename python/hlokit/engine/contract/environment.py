"""All environment variables that hlokit reads."""

# Name -> meaning.
VARIABLES = {
    "HLOKIT_CPU": "the highest level of vector instructions that kernels use: baseline, avx2 or avx512",
    "HLOKIT_DEVICES": "the number of devices of JAX's platform hlokit",
    "HLOKIT_DISABLE": "fast paths to disable, separated by commas, or all",
    "HLOKIT_THREADS": "threads that one operation may use (default: the processors of this process)",
    "HLOKIT_TRACEBACK": "set: a command that fails because of a defect of hlokit prints the traceback",
}
