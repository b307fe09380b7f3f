"""The operation of an installation: who may come in without an account, and how it was stopped last."""
