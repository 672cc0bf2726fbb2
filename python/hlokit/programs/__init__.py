"""What a program is.

`loading` makes a `Program` of a file, text or JAX function, `program` is its class, `calls` its calls,
`importers` the programs of other frameworks.
"""
