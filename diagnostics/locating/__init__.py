"""How well packs name the files that work then changes: cases, columns of signals, fitting, figures."""
