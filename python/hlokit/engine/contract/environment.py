"""All environment variables that hlokit reads."""

# Name -> meaning.
VARIABLES = {
    "HLOKIT_CACHE": "a folder for what is compiled of programs, which later processes then need not compile",
    "HLOKIT_CPU": "the highest level of vector instructions that kernels use: baseline, avx2, avx512 or amx",
    "HLOKIT_DEVICES": "the number of devices of JAX's platform hlokit",
    "HLOKIT_DISABLE": "fast paths to disable, separated by commas, or all",
    "HLOKIT_JAX_CHECK": "xla: JAX's programs are also run by XLA:CPU and compared",
    "HLOKIT_JAX_EVERY": "every n-th call of a program of JAX is recorded and checked",
    "HLOKIT_JAX_PRECISION": "high: JAX's programs accumulate in higher precision",
    "HLOKIT_JAX_RECORD": "a folder for recordings of the runs of JAX's programs",
    "HLOKIT_JAX_STOP_ON_NAN": "set: JAX's programs fail at the first operation that computes a NaN",
    "HLOKIT_JAX_TIER": "reference: the executable specification evaluates JAX's programs",
    "HLOKIT_PYTHON": "the Python that libhlokit_pjrt.so starts in a program without Python",
    "HLOKIT_THREADS": "threads that one operation may use (default: the processors of this process)",
    "HLOKIT_TRACEBACK": "set: a command that fails because of a defect of hlokit prints the traceback",
}
