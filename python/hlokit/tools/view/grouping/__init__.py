"""The groups of the graph of a page: what stands together, and under which title.

`paths` says where an operation comes from: name scopes, then the user's functions and lines. `groups`
divides the operations of a function or region by these paths, level by level. Groups that depend on each
other in a circle would be a picture that nobody reads, so `merging` puts operations of one path together only
where no circle arises; `passes` finds the turns of loops that the front end has unrolled.
"""
