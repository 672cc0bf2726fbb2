"""Accuracy of a run: shadow values in higher precision, and checks of `result_accuracy`.

In reading order: `shadow` is the observer that evaluates every operation in higher precision as well; `wide`
plans operations with wider types; `deviations` measures the distance between a value and its shadow; `report`
collects the deviations per operation. `result_accuracy` compares results with the program's requirements.
`rules` has the functions that the cards of operations name: shadows of each operation.
"""
