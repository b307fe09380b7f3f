"""The client as a distribution of its own: a wheel and one file that runs, made of the source beside this. Standard library only."""
