"""9 Card Siege, solved exactly: values, odds, reviews and fast simulation, from one compiled kernel."""
