"""dpjit: functions of array expressions and loops; the loops are compiled."""
