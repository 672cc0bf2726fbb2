"""The demo: three models that JAX exported, interpreted by hlokit on real inputs. No JAX here.

Run it with `make demo`, or `python examples/demo.py` where hlokit is installed.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import hlokit

MODELS = Path(__file__).resolve().parent / "models"
TTY = sys.stdout.isatty()
WIDTH = min(shutil.get_terminal_size().columns, 88)

Array = NDArray[Any]
Program = Callable[..., Any]


def styled(text: str, code: str) -> str:
    """`text` in an ANSI style, where a terminal shows it."""
    return f"\x1b[{code}m{text}\x1b[0m" if TTY else text


def heading(title: str, subtitle: str) -> None:
    print(f"\n{styled(title, '1')}  {styled(subtitle, '2')}\n")


def timed(function: Callable[..., Any], *arguments: Any) -> tuple[Any, float]:
    """(the result of the call, the seconds it took)."""
    start = time.perf_counter()
    result = function(*arguments)
    return result, time.perf_counter() - start


def duration(seconds: float) -> str:
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def report(**times: float) -> None:
    line = "   ".join(f"{what.replace('_', ' ')} {duration(t)}" for what, t in times.items())
    print("\n" + styled(line, "2"))


def load(name: str) -> tuple[Program, float]:
    return timed(hlokit.load, str(MODELS / f"{name}.mlirbc"))


def arrays(name: str) -> dict[str, Array]:
    with np.load(MODELS / f"{name}.npz") as file:
        return dict(file)


def picture(image: Array) -> list[str]:
    """The rows of text that show an 8x8 image with grey levels 0 to 16.

    A terminal shows two pixels in one half block, which is square; a plain file gets shades.
    """
    if not TTY:
        return ["".join(" ░▒▓█"[int(level) * 4 // 16] * 2 for level in row) for row in image]
    grey = 232 + image.astype(int) * 23 // 16  # the 24 greys of the 256-colour palette
    return [
        "".join(f"\x1b[38;5;{up};48;5;{down}m▀" for up, down in zip(*pair, strict=True)) + "\x1b[0m"
        for pair in zip(grey[::2], grey[1::2], strict=True)
    ]


def gallery(images: Array, labels: Array, predictions: Array) -> None:
    """Print images side by side, each with its prediction below, and the truth if it differs."""
    cell = 8 if TTY else 16
    for row in zip(*map(picture, images), strict=True):
        print("  " + "  ".join(row))
    captions = []
    for label, prediction in zip(labels, predictions, strict=True):
        right = label == prediction
        caption = str(prediction) if right else f"{prediction} ({label}!)"
        captions.append(styled(caption.center(cell), "32" if right else "31"))
    print("  " + "  ".join(captions))


def classify_digits() -> None:
    heading("Handwritten digits", "a convolutional net, on images it has never seen")
    data = arrays("digits")
    images, labels = data["images"], data["labels"]
    program, load_time = load("digits")
    logits, first_run = timed(program, images)
    _, next_run = timed(program, images)

    predictions = logits.argmax(1)
    right = predictions == labels
    fits = max(1, (WIDTH - 2) // (10 if TTY else 18))
    show = np.concatenate([np.flatnonzero(~right)[:2], np.flatnonzero(right)])[: min(fits, 8)]
    show = show[np.argsort(right[show], kind="stable")[::-1]]  # its mistakes last
    gallery(images[show], labels[show], predictions[show])
    print(f"\n{right.sum()} of {len(labels)} right: {styled(f'accuracy {right.mean():.1%}', '1')}")
    report(load=load_time, first_run=first_run, next_run=next_run)


def continuation(
    program: Program, prompt: list[int], seed: int, temperature: float, chunk: int = 24
) -> Iterator[list[int]]:
    """The tokens that follow `prompt`, a few at a time, up to the end of the line.

    A token depends on its position and the key alone, not on how the calls are cut.
    """
    tokens, end = np.zeros(256, np.int32), len(prompt)
    tokens[:end] = prompt
    key = np.array([0, seed], np.uint32)
    while end < len(tokens):
        start = end
        arguments = (np.int32(start), key, np.float32(temperature), np.int32(chunk))
        tokens, stop = program(tokens, *arguments)
        end = int(stop)
        yield tokens[start:end].tolist()
        if end < start + chunk or tokens[end - 1] == 0:
            return


class Typewriter:
    """Prints text as it comes, wrapped between words."""

    def __init__(self) -> None:
        self.column, self.word = 0, ""

    def write(self, text: str) -> None:
        for character in text:
            if character in " \n":
                self.finish_word()
            else:
                self.word += character
        sys.stdout.flush()

    def finish_word(self) -> None:
        if not self.word:
            return
        if self.column + len(self.word) + 1 > WIDTH:
            self.column = 0
            print()
        print(" " * (self.column > 0) + self.word, end="")
        self.column += len(self.word) + (self.column > 0)
        self.word = ""


def write_text() -> None:
    heading("A character GPT", "it learnt from Python's reference manual; one while loop, KV cache")
    characters = "".join(arrays("gpt")["characters"])
    calls = arrays("gpt_expected")
    program, load_time = load("gpt")
    first_run, written, start = 0.0, 0, time.perf_counter()
    for index, temperature in enumerate(calls["temperature"]):
        if temperature == 0:  # correct, but it repeats itself
            continue
        prompt = calls["prompt"][index][: calls["length"][index]].tolist()
        paper = Typewriter()
        paper.write("".join(characters[token] for token in prompt))
        tokens: list[int] = []
        for tokens in continuation(program, prompt, int(calls["key"][index][1]), temperature):
            first_run = first_run or time.perf_counter() - start
            written += len(tokens)
            paper.write("".join(characters[token] for token in tokens))
        paper.write("\n" if tokens[-1:] == [0] else "...\n")
        print("\n")
    total = time.perf_counter() - start
    print(f"{written} characters, {styled(f'{written / total:.0f} a second', '1')}")
    report(load=load_time, first_24_characters=first_run)


def sparkline(values: list[float]) -> str:
    """Eight heights, from 0 to the largest value."""
    return "".join("▁▂▃▄▅▆▇█"[min(7, int(8 * value / max(values)))] for value in values)


def train() -> None:
    heading("A training step", "gradients and an Adam update, 30 times from random weights")
    *state, _, _ = arrays("train_step").values()
    images, labels = arrays("train_step_batches").values()
    program, load_time = load("train_step")
    losses: list[float] = []
    times: list[float] = []
    for index in range(30):
        batch = slice(index * 64 % len(images), index * 64 % len(images) + 64)
        (*state, loss), seconds = timed(program, *state, images[batch], labels[batch])
        losses.append(float(loss))
        times.append(seconds)
        if TTY:
            print(f"\r  {sparkline(losses)}  loss {losses[-1]:.3f}", end="", flush=True)
    back = "\r" if TTY else ""
    final = styled(f"{losses[-1]:.3f}", "1")
    print(f"{back}  {sparkline(losses)}  loss {losses[0]:.3f} -> {final}")
    report(load=load_time, first_step=times[0], median_step=float(np.median(times)))


def main() -> None:
    classify_digits()
    write_text()
    train()
    print()


if __name__ == "__main__":
    main()
