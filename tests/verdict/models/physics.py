"""Physics: differential equations, bodies, fields, spectra."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from tests.verdict.models import Traced, model, normal


@model()
def equation() -> Traced:
    """Van der Pol's oscillator with an embedded pair, steps that adapt, and a count of rejections."""

    def slope(y: Any) -> Any:
        return jnp.array([y[1], 1.5 * (1 - y[0] ** 2) * y[1] - y[0]])

    def solve(y: Any, end: Any, tolerance: Any) -> Any:
        def step(state: Any) -> Any:
            t, h, y, rejected, n = state
            h = jnp.minimum(h, end - t)
            a = slope(y)
            b = slope(y + h * a / 2)
            c = slope(y + h * 3 / 4 * b)
            new = y + h * (2 * a + 3 * b + 4 * c) / 9
            d = slope(new)
            error = h * jnp.abs(-5 / 72 * a + b / 12 + c / 9 - d / 8).max()
            is_good = error <= tolerance
            factor = jnp.clip(0.9 * jnp.cbrt(tolerance / (error + 1e-9)), 0.3, 3.0)
            t, y = jnp.where(is_good, t + h, t), jnp.where(is_good, new, y)
            return t, h * factor, y, rejected + jnp.where(is_good, 0, 1), n + 1

        def is_before_end(state: Any) -> Any:
            return (state[0] < end) & (state[4] < 200)

        return jax.lax.while_loop(is_before_end, step, (jnp.float32(0), jnp.float32(0.3), y, 0, 0))

    return solve, (np.array([1.2, -0.4], np.float32), np.float32(2.0), np.float32(2e-3))


@model()
def rigid_body() -> Traced:
    """A box that tumbles and bounces: quaternions, cross products, contacts at its corners."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-0.5, 0.5) for z in (-0.2, 0.2)], np.float32)

    def product(p: Any, q: Any) -> Any:
        w = p[0] * q[0] - p[1:] @ q[1:]
        return jnp.concatenate([w[None], p[0] * q[1:] + q[0] * p[1:] + jnp.cross(p[1:], q[1:])])

    def matrix(q: Any) -> Any:
        w, x, y, z = q
        return jnp.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )

    def step(n: Any, state: Any, inertia: Any) -> Any:
        place, turn, velocity, spin = state
        arms = corners @ matrix(turn).T
        depth = jnp.maximum(-(place + arms)[:, 2], 0)
        speed = velocity + jnp.cross(spin, arms)
        push = jnp.where(depth > 0, 60 * depth - 2 * speed[:, 2], 0)
        force = jnp.stack([-0.3 * push * jnp.sign(speed[:, 0]), jnp.zeros_like(push), push], 1)
        velocity = velocity + 0.02 * (force.sum(0) + jnp.array([0, 0, -9.81]))
        momentum = jnp.cross(arms, force).sum(0) - jnp.cross(spin, inertia * spin)
        spin = spin + 0.02 * momentum / inertia
        change = product(jnp.concatenate([jnp.zeros(1), spin]), turn)
        turn = turn + 0.01 * change
        return place + 0.02 * velocity, turn / jnp.linalg.norm(turn), velocity, spin

    def fall(place: Any, turn: Any, velocity: Any, spin: Any, inertia: Any) -> Any:
        state = place, turn, velocity, spin
        return jax.lax.fori_loop(0, 12, lambda n, state: step(n, state, inertia), state)

    start = [0, 0, 0.6], [0.8, 0.36, 0.48, 0], [0.5, 0, -1], [0.2, 1.5, -0.7], [0.3, 1.1, 1.3]
    return fall, tuple(np.array(part, np.float32) for part in start)


@model()
def spectrum() -> Traced:
    """Convolution by Fourier transforms, a windowed spectrogram, a phase that is shifted."""

    def spectra(signal: Any, kernel: Any, shift: Any) -> Any:
        size = signal.size + kernel.size - 1
        product = jnp.fft.rfft(signal, size) * jnp.fft.rfft(kernel, size)
        convolved = jnp.fft.irfft(product, size)
        frames = jnp.stack([signal[n : n + 8] for n in range(0, signal.size - 7, 4)])
        window = 0.5 - 0.5 * jnp.cos(2 * np.pi * jnp.arange(8) / 8)
        spectrogram = jnp.fft.rfft(frames * window)
        decibels = 10 * jnp.log10(jnp.abs(spectrogram) ** 2 + 1e-6)
        turned = jnp.fft.fft(signal.astype(jnp.complex64)) * jnp.exp(
            1j * shift * jnp.fft.fftfreq(signal.size)
        )
        return convolved, decibels, jnp.angle(spectrogram[:, 1:]), jnp.fft.ifft(turned).real

    return spectra, (normal(20, seed=1), normal(5, seed=2), np.float32(0.7))


@model()
def mandelbrot() -> Traced:
    """Iterations until an orbit leaves a disk, smooth colours, and the derivative's modulus."""

    def escapes(low: Any, high: Any) -> Any:
        re = jnp.linspace(low.real, high.real, 7)
        im = jnp.linspace(low.imag, high.imag, 5)
        c = jax.lax.complex(*jnp.meshgrid(re, im))

        def step(n: Any, state: Any) -> Any:
            z, slope, count = state
            is_inside = jnp.real(z * jnp.conj(z)) <= 16
            slope = jnp.where(is_inside, 2 * z * slope + 1, slope)
            return jnp.where(is_inside, z * z + c, z), slope, count + is_inside.astype(jnp.int32)

        zero = jnp.zeros_like(c)
        z, slope, count = jax.lax.fori_loop(0, 15, step, (zero, zero + 1, jnp.zeros(c.shape, jnp.int32)))
        smooth = count - jnp.log2(jnp.maximum(jnp.log2(jnp.abs(z) + 1e-3), 1e-3))
        return count, smooth, jnp.abs(slope), count.max()

    return escapes, (np.complex64(-1.9 - 1.1j), np.complex64(0.6 + 1.2j))


@model()
def complex_functions() -> Traced:
    """Functions of complex numbers: a conformal map, powers, hyperbolic functions, a product of matrices."""

    def functions(z: Any, m: Any) -> Any:
        mapped = 0.5 * (z + 1 / z)
        logarithm = jnp.log(mapped) + jnp.sqrt(mapped)
        wave = jnp.tanh(logarithm) * jnp.exp(1j * jnp.pi * jnp.real(z)) + jnp.sin(mapped) / jnp.cosh(z)
        raised = jnp.power(z, 0.3 + 0.2j)
        evolved = m @ jnp.conj(m).T @ wave
        return wave, raised, jnp.angle(evolved), jnp.vdot(evolved, raised), jnp.abs(jnp.expm1(0.1 * evolved))

    return functions, (
        (normal(5, seed=1) + 2j * normal(5, seed=2)).astype(np.complex64),
        (normal(5, 5, seed=3) - 1j * normal(5, 5, seed=4)).astype(np.complex64),
    )
