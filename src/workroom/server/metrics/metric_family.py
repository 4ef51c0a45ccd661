"""Metric families as plain values, which can be sent to another server and joined with those of others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import Metric
from prometheus_client.registry import Collector


class Sample(NamedTuple):
    name: str
    labels: dict[str, str]
    value: float


class Family(NamedTuple):
    name: str
    help: str
    kind: str  # counter, gauge, histogram or info
    samples: Sequence[Sample]

    def encode(self) -> list[Any]:
        return [*self[:-1], [list(sample) for sample in self.samples]]

    @classmethod
    def decode(cls, body: Any) -> Family:
        return cls(body[0], body[1], body[2], [Sample(*sample) for sample in body[3]])


def gauge(name: str, help: str, *samples: tuple[dict[str, str], float]) -> Family:
    return Family(name, help, "gauge", [Sample(name, labels, value) for labels, value in samples])


def counter(name: str, help: str, *samples: tuple[dict[str, str], float]) -> Family:
    """`name` is given without `_total`."""
    return Family(name, help, "counter", [Sample(f"{name}_total", labels, value) for labels, value in samples])


def histogram(name: str, help: str, buckets: Sequence[tuple[float, int]], seconds: float) -> Family:
    """`buckets` are upper bounds, the last of them infinite, with the counts of each bucket alone."""
    samples: list[Sample] = []
    total = 0
    for bound, count in buckets:
        total += count
        samples.append(Sample(f"{name}_bucket", {"le": "+Inf" if bound == float("inf") else repr(bound)}, total))
    return Family(
        name, help, "histogram", [*samples, Sample(f"{name}_count", {}, total), Sample(f"{name}_sum", {}, seconds)]
    )


def collected(registry: CollectorRegistry) -> list[Family]:
    """The families of a registry, without the time of creation of each series."""
    return [
        Family(
            metric.name,
            metric.documentation,
            metric.type,
            [Sample(one.name, one.labels, one.value) for one in metric.samples if not one.name.endswith("_created")],
        )
        for metric in registry.collect()
    ]


def joined(by_replica: dict[str, list[Family]]) -> list[Family]:
    """The families of several processes as one list, each sample with the label `replica`."""
    found: dict[str, Family] = {}
    for replica, families in sorted(by_replica.items()):
        for family in families:
            labelled = [sample._replace(labels=sample.labels | {"replica": replica}) for sample in family.samples]
            known = found.get(family.name)
            found[family.name] = family._replace(samples=[*(known.samples if known else ()), *labelled])
    return list(found.values())


class _Given(Collector):
    def __init__(self, families: Iterable[Family]) -> None:
        self._families = families

    def collect(self) -> Iterator[Metric]:
        for family in self._families:
            metric = Metric(family.name, family.help, family.kind)
            for sample in family.samples:
                metric.add_sample(sample.name, sample.labels, sample.value)
            yield metric


def rendered(families: Iterable[Family]) -> bytes:
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Given(list(families)))
    return generate_latest(registry)
