"""One module for each command of `continuity`, in a folder for each group of them (`main.GROUPS`)."""
