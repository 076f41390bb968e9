"""The commands, by what one wants: their options and help; the work is imported inside, so that `--help` answers at
once."""
