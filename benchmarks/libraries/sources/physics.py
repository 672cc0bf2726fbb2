"""Rigid bodies and molecules: steps of brax, MJX and jax-md."""

from __future__ import annotations

from typing import Any

import brax.envs
import jax
import jax.numpy as jnp
import jax_md
import mujoco
import numpy as np
from mujoco import mjx

from benchmarks.libraries.registry import Traced, export


def _brax(name: str, backend: str, steps: int = 1) -> Traced:
    environment = brax.envs.get_environment(name, backend=backend)
    state = jax.jit(environment.reset)(jax.random.PRNGKey(0))
    actions = np.random.default_rng(1).uniform(-1, 1, (steps, environment.action_size)).astype(np.float32)

    def run(pipeline: Any, actions: Any) -> Any:
        def step(pipeline: Any, action: Any) -> Any:
            pipeline = environment.pipeline_step(pipeline, action)
            return pipeline, (pipeline.q, pipeline.qd)

        pipeline, path = jax.lax.scan(step, pipeline, actions)
        return pipeline.x.pos, pipeline.x.rot, path

    return run, (state.pipeline_state, actions)


@export("physics/ant", "brax", "ant, 4 steps of the spring pipeline")
def ant() -> Traced:
    return _brax("ant", "spring", 4)


@export("physics/swinging", "brax", "inverted pendulum, 10 steps of the positional pipeline")
def swinging() -> Traced:
    return _brax("inverted_pendulum", "positional", 10)


@export("physics/pendulum", "brax", "inverted double pendulum, 10 steps of the generalized pipeline")
def pendulum() -> Traced:
    return _brax("inverted_double_pendulum", "generalized", 10)


_BOX = """
<mujoco>
  <option timestep="0.005" iterations="4" ls_iterations="6"><flag eulerdamp="disable"/></option>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .3"><freejoint/><geom type="sphere" size=".1" mass="1"/>
      <body pos="0 0 .2"><joint type="hinge" axis="0 1 0" damping=".1"/>
        <geom type="capsule" size=".04" fromto="0 0 0 .3 0 0" mass=".3"/></body></body>
  </worldbody>
</mujoco>"""

_CARTPOLE = """
<mujoco>
  <option timestep="0.01"/>
  <worldbody>
    <body name="cart"><joint name="slide" type="slide" axis="1 0 0" damping=".05"/>
      <geom type="box" size=".2 .1 .05" mass="1" contype="0" conaffinity="0"/>
      <body pos="0 0 .05"><joint type="hinge" axis="0 1 0" damping=".01"/>
        <geom type="capsule" size=".03" fromto="0 0 0 0 0 .6" mass=".2" contype="0" conaffinity="0"/></body>
    </body>
  </worldbody>
  <actuator><motor joint="slide" gear="10"/></actuator>
</mujoco>"""


def _mjx(xml: str, steps: int, position: Any, control: Any) -> Traced:
    model = mujoco.MjModel.from_xml_string(xml)
    placed = mjx.put_model(model)
    start = mjx.make_data(placed)

    def run(position: Any, velocity: Any, control: Any) -> Any:
        data = start.replace(qpos=position, qvel=velocity, ctrl=control)
        data, path = jax.lax.scan(
            lambda data, _: (mjx.step(placed, data), data.qpos), data, None, length=steps
        )
        return data.qpos, data.qvel, path

    return run, (
        np.asarray(position, np.float32),
        np.zeros(model.nv, np.float32),
        np.asarray(control, np.float32),
    )


@export("physics/cartpole", "mujoco-mjx", "cart and pole, 10 steps")
def cartpole() -> Traced:
    return _mjx(_CARTPOLE, 10, [0.0, 0.2], [0.3])


@export("physics/contact", "mujoco-mjx", "two hinged bodies that fall onto a plane, 2 steps with contacts")
def contact() -> Traced:
    return _mjx(_BOX, 2, [0.0, 0.0, 0.09, 1.0, 0.0, 0.0, 0.0, 0.1], np.zeros(0))


def _particles(count: int, box: float) -> Any:
    side = int(np.ceil(np.sqrt(count)))
    grid = np.stack(np.meshgrid(np.arange(side), np.arange(side)), -1).reshape(-1, 2)[:count]
    moved = grid * (box / side) + np.random.default_rng(3).normal(size=(count, 2)) * 0.05
    return np.mod(moved, box).astype(np.float32)


@export("physics/lennard_jones", "jax-md", "64 Lennard-Jones particles, 20 steps at constant energy")
def lennard_jones() -> Traced:
    box = 9.6
    displacement, shift = jax_md.space.periodic(box)
    energy = jax_md.energy.lennard_jones_pair(displacement)
    initialize, step = jax_md.simulate.nve(energy, shift, 1e-3)

    def run(positions: Any, key: Any) -> Any:
        state = initialize(jax.random.wrap_key_data(key), positions, kT=0.5)
        state = jax.lax.fori_loop(0, 20, lambda _, state: step(state), state)
        return state.position, state.momentum, energy(state.position)

    return run, (_particles(64, box), np.array([0, 3], np.uint32))


@export("physics/neighbors", "jax-md", "200 soft spheres with cell and neighbor lists, 5 Nose-Hoover steps")
def neighbors() -> Traced:
    box = 14.0
    displacement, shift = jax_md.space.periodic(box)
    neighbor_fn, energy = jax_md.energy.soft_sphere_neighbor_list(
        displacement, box, sigma=1.0, dr_threshold=0.2
    )
    initialize, step = jax_md.simulate.nvt_nose_hoover(energy, shift, 1e-3, 0.3)
    positions = _particles(200, box)
    neighbors = neighbor_fn.allocate(positions)

    def run(positions: Any, key: Any) -> Any:
        found = neighbors.update(positions)
        state = initialize(jax.random.wrap_key_data(key), positions, neighbor=found)

        def turn(_: Any, carried: Any) -> Any:
            state, found = carried
            found = found.update(state.position)
            return step(state, neighbor=found), found

        state, found = jax.lax.fori_loop(0, 5, turn, (state, found))
        return state.position, found.idx, jnp.asarray(found.did_buffer_overflow)

    return run, (positions, np.array([0, 4], np.uint32))
