"""Linear algebra and Fourier transforms.

`operations` has cholesky and triangular_solve, `fft` the Fourier transforms, and `lapack` the LAPACK routines
of lib/kernels/linalg, which custom calls also use.
"""
