"""How well a client fits a server, by their versions."""

from __future__ import annotations

import pytest

from workroom.client.net.compare_versions import Fit, compare


@pytest.mark.parametrize(
    ("own", "server", "fit"),
    [
        ("1.2.3", "1.2.3", Fit.SAME),
        ("1.2.3", "1.2.4", Fit.PATCHED),
        ("1.2.4", "1.2.3", Fit.SAME),
        ("1.2.9", "1.3.0", Fit.OTHER),
        ("1.3.0", "1.2.9", Fit.OTHER),
        ("1.2.3", "2.0.0", Fit.UNFIT),
        ("1.2", "1.2.0", Fit.SAME),
        ("1.2.0.dev3+gabc", "1.2.0", Fit.SAME),
        ("1.2.3", "unknown", Fit.SAME),
    ],
)
def test_versions_are_compared_by_their_numbers(own: str, server: str, fit: Fit) -> None:
    comparison = compare(own, server)
    assert comparison.fit is fit
    assert bool(comparison.text) == (fit is not Fit.SAME)
    if comparison.text:
        assert own in comparison.text and server in comparison.text
