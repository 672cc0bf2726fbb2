"""Child process of test_collective: programs on a grid of CPU devices of XLA.

Reads pickled [(text, replicas, partitions, arguments of each process)] from stdin, writes pickled results.
Parameters, operations and results must be marked `mhlo.sharding = "{manual}"`: XLA splits nothing then.
"""

from __future__ import annotations

import os
import pickle
import sys
from typing import Any

import numpy as np

DEVICES = 4


def run(text: str, replicas: int, partitions: int, arguments: list[list[Any]]) -> list[list[np.ndarray]]:
    import jax  # reads the environment
    from jax.sharding import Mesh, NamedSharding, PartitionSpec
    from jaxlib import xla_client

    count = replicas * partitions
    devices = jax.devices("cpu")[:count]
    options = xla_client.CompileOptions()
    options.num_replicas = options.executable_build_options.num_replicas = replicas
    options.num_partitions = options.executable_build_options.num_partitions = partitions
    options.executable_build_options.use_spmd_partitioning = partitions > 1
    options.device_assignment = xla_client.DeviceAssignment.create(
        np.arange(count).reshape(replicas, partitions)
    )
    executable = devices[0].client.compile_and_load(text, xla_client.DeviceList(tuple(devices)), options)
    sharding = NamedSharding(Mesh(np.array(devices), ("d",)), PartitionSpec("d"))
    stacked = []
    for shards in zip(*arguments, strict=True):
        shape = (count * shards[0].shape[0], *shards[0].shape[1:])
        placed = [jax.device_put(shard, device) for shard, device in zip(shards, devices, strict=True)]
        stacked.append(jax.make_array_from_single_device_arrays(shape, sharding, placed))
    results = executable.execute_sharded(stacked).disassemble_into_single_device_arrays()
    return [[np.asarray(result[number]) for result in results] for number in range(count)]


def main() -> None:
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={DEVICES}"
    os.environ["JAX_PLATFORMS"] = "cpu"
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    pickle.dump([run(*job) for job in pickle.load(sys.stdin.buffer)], answers)
    answers.flush()


if __name__ == "__main__":
    main()
