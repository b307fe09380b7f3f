"""Groups: who takes part, who speaks next, turns and their leases, the workflow, what all of them read."""
