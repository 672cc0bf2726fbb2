"""Trains a small residual network with PyTorch, and prints its losses as JSON: on the CPU, and on XLA's device in lazy,
compiled and eager form."""

from __future__ import annotations

import json
from typing import Any

import torch
import torch_xla
from torch import nn

STEPS = 4


class Residual(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.norm = nn.BatchNorm2d(channels)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x: Any) -> Any:
        return torch.relu(x + self.second(torch.relu(self.norm(self.first(x)))))


class Network(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2d(1, 8, 3, padding=1)
        self.residual = Residual(8)
        self.last = nn.Linear(8, 10)

    def forward(self, x: Any) -> Any:
        return self.last(self.residual(torch.relu(self.first(x))).mean((2, 3)))


def losses(device: Any, *, is_compiled: bool = False) -> list[float]:
    torch.manual_seed(0)
    network = Network().to(device)
    optimizer = torch.optim.SGD(network.parameters(), lr=0.1, momentum=0.9)
    generator = torch.Generator().manual_seed(1)
    images = torch.randn(16, 1, 8, 8, generator=generator).to(device)
    labels = torch.randint(0, 10, (16,), generator=generator).to(device)
    function = torch.compile(network, backend="openxla") if is_compiled else network
    values: list[float] = []
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(function(images), labels)
        loss.backward()
        optimizer.step()
        if device != "cpu":
            torch_xla.sync()
        values.append(loss.item())
    return values


def main() -> None:
    device = torch_xla.device()
    rows = {"lazy": losses(device), "compiled": losses(device, is_compiled=True)}
    torch_xla.experimental.eager_mode(True)
    rows |= {"eager": losses(device), "cpu": losses("cpu")}
    print(json.dumps(rows))


main()
