"""Operations between processes: `collectives`, and `transfers` (send, recv, infeed, outfeed, async)."""
