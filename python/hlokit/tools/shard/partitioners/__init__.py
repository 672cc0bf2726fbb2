"""Partitions a whole program into a program for each device: by Shardy or XLA, in a child process."""
