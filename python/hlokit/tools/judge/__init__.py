"""`hlokit.judge`: whether one kernel or function is right, by its definition.

In reading order: `trials` chooses inputs that hurt; `candidates` runs what is judged; `errors` bounds the
distance of any right evaluation from hlokit's; `backward` finds what roundings decide; `precisions`
recognises narrower arithmetic; `suspicions` names what looks right and is not; `report` and `run`.
"""
