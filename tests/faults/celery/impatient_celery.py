"""Settings of Celery under which a broker delivers messages again although their jobs run: CELERY_CONFIG_MODULE."""

task_acks_late = True
task_reject_on_worker_lost = True
worker_prefetch_multiplier = 4
broker_transport_options = {"visibility_timeout": 1}
