"""Functions that the cards of operations name: bytes that collectives send, and FLOPs."""
