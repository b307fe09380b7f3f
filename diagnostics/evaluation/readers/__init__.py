"""Judging by readers: tasks for blind readers and graders, and the score of their forms. No model is asked here."""
