"""Columns of every stored row."""

import uuid

from django.db import models
from django.utils import timezone


class StoredModel(models.Model):
    """A row with an unguessable id (UUID v4, FR-001) and its time of creation."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        abstract = True
