"""Two releases on one database, while an installation is upgraded."""
