"""Random numbers: `bit_generators` has Threefry and Philox as functions of arrays, `operations` has
rng_bit_generator and rng.
"""
