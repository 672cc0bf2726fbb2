"""What operations do with exact numbers: functions that cards name.

- `field`: arithmetic modulo a prime; `numbers`: arrays of floats with their numbers of the field;
- `meanings`: the parts of cards, and decisions by floats; `formulas`: element-wise operations; `arrays`:
  whole arrays, and changes of types.
"""
