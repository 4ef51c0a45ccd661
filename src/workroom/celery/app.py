"""The Celery application of Workroom: names of tasks and queues, and settings that its messages depend on."""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType
from typing import Any

from celery import Celery

from workroom.domain.errors import BadInput

QUEUE = "workroom"  # the queue of the broker, unless `-Q` names others
RUN_FUNCTION = "workroom.function"  # runs a call of a posted function
RUN_EXTENSION = "workroom.extension"  # runs a job of a built-in extension


def celery_app(broker: str) -> Any:
    """A Celery application on this broker.

    A module that CELERY_CONFIG_MODULE names may set anything but the format of messages: they are JSON, so nothing that
    arrives from a broker is ever unpickled.
    """
    defaults: dict[str, Any] = {
        "task_default_queue": QUEUE,
        "task_ignore_result": True,
        # Messages are acknowledged when a task starts: the database knows what becomes of the job, not the broker.
        "task_acks_late": False,
        "worker_prefetch_multiplier": 1,
        "worker_send_task_events": True,  # for Flower
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,
        "worker_hijack_root_logger": False,
    }
    app: Any = Celery("workroom", broker=broker, set_as_current=False)
    given = _given_settings()
    given["broker_transport_options"] = _transport_options(broker) | given.get("broker_transport_options", {})
    app.conf.update(defaults | given)
    app.conf.update(
        broker_url=broker,
        accept_content=["json"],
        task_serializer="json",
        result_serializer="json",
        result_accept_content=["json"],
        event_serializer="json",
    )
    return app


def _given_settings() -> dict[str, Any]:
    """The settings in the module that CELERY_CONFIG_MODULE names: its variables in lower case."""
    name = os.environ.get("CELERY_CONFIG_MODULE")
    if not name:
        return {}
    try:
        module = import_module(name)
    except ImportError as error:
        raise BadInput(f"CELERY_CONFIG_MODULE names {name}, which cannot be imported: {error}.") from None
    return {
        key: value
        for key, value in vars(module).items()
        if key.islower() and not key.startswith("_") and not isinstance(value, ModuleType)
    }


def _transport_options(broker: str) -> dict[str, Any]:
    # A broker that holds its connections and does not answer must block neither the publisher nor the end of a worker.
    if broker.startswith("amqp"):
        return {"confirm_publish": True, "read_timeout": 10, "write_timeout": 10}
    return {"socket_timeout": 10, "socket_connect_timeout": 5, "socket_keepalive": True}
