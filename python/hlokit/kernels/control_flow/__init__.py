"""Control flow: `branches_and_loops` has calls, if, case and while; `tuples_and_tokens` has tuples, tokens
and barriers.
"""
