"""The commands that upstream has too: `stablehlo-translate` and `stablehlo-opt`."""
