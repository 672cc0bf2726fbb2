"""Values that the specification, or the project of a custom call, leaves open: functions that cards name."""
