"""Makes the saved models in `data`: a model of JAX with variables, as jax2tf exports it.

`saved_model` has a fixed batch and no gradient; `saved_model_with_gradient` has a batch of any size and, as jax2tf's
default is, a gradient. The `.npz` files have inputs, and the outputs that TensorFlow computes.

    pip install tensorflow-cpu==2.21.0 jax==0.10.2    # in an environment of its own, of Python 3.11
    python tests/unit/programs/importers/export_saved_model.py
"""

from __future__ import annotations

import shutil
from pathlib import Path

import jax
import numpy as np
import tensorflow as tf
from jax.experimental import jax2tf

DATA = Path(__file__).parent / "data"


def model(parameters, x):
    return jax.nn.softmax(x @ parameters["w"] + parameters["b"])


def export(folder: Path, batch: int | None, **options) -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((4, 3), np.float32)
    parameters = {
        "w": rng.standard_normal((3, 2), np.float32),
        "b": rng.standard_normal(2, dtype=np.float32),
    }
    variables = {name: tf.Variable(value, name=name) for name, value in parameters.items()}
    converted = jax2tf.convert(model, **options)
    module = tf.Module()
    module.v = list(variables.values())
    signature = [tf.TensorSpec((batch, 3), tf.float32, name="x")]
    module.f = tf.function(lambda x: converted(variables, x), autograph=False, input_signature=signature)
    shutil.rmtree(folder, ignore_errors=True)
    tf.saved_model.save(module, str(folder))
    (folder / "assets").rmdir()
    (folder / "fingerprint.pb").unlink()
    saved = tf.saved_model.load(str(folder))
    y = saved.f(x).numpy()
    np.testing.assert_allclose(y, jax.jit(model)(parameters, x), rtol=1e-6)
    np.savez(folder.with_suffix(".npz"), **parameters, x=x, y=y)


def main() -> None:
    # Locations without the folders of the machine.
    jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")
    export(DATA / "saved_model", 4, with_gradient=False)
    export(DATA / "saved_model_with_gradient", None, polymorphic_shapes=[None, "(batch, 3)"])


if __name__ == "__main__":
    main()
