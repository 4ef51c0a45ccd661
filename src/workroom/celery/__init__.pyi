from workroom.celery.existing_apps import as_task as as_task
from workroom.celery.existing_apps import celery_task as celery_task

__all__ = ["as_task", "celery_task"]
