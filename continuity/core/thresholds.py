"""The shares at which something follows. Policies, pages and the API's descriptions read them here."""

# Of the context window (CONT-02).
LONG_TASK_AT = 0.70
APPROACHING_AT = 0.75
FOLD_AT = 0.80
HANDOFF_AT = 0.85
MILESTONES = (LONG_TASK_AT, APPROACHING_AT, FOLD_AT, HANDOFF_AT)

# Of what a handoff must state (CONT-06).
PASSING_FIDELITY = 0.85
