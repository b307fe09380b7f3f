"""State that agents share, in the API: values, versions, conflicts, what changed."""
