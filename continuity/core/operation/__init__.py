"""What concerns an installation as it runs: who may come in without an account, and how it was stopped last."""
