"""The monitor: one program that does what is due to the moment, and sleeps until then."""
