"""Groups without their store: who may speak, who speaks next and why, the steps of a workflow, rules from events, limits. Pure."""
