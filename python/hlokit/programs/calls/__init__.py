"""Calls of a program: conversion of `arguments`, `runs` of functions on a grid, calls in `parallel`."""
