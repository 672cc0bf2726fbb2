"""Linear algebra and Fourier transforms.

`operations` has cholesky and triangular_solve, `triangles` the blocked algorithms for triangular systems and
LU, `fft` the Fourier transforms, and `lapack` the LAPACK routines that custom calls ask for.
"""
