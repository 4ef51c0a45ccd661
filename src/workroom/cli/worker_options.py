"""Options that commands which run workers share: what they offer, and when they end."""

from __future__ import annotations

from typing import Annotated

import typer

OfferOption = Annotated[
    list[str] | None,
    typer.Option(
        "--offer",
        metavar="NAME=AMOUNT",
        envvar="WORKROOM_OFFER",
        help="A resource for jobs, like gpus=1 or memory_gb=64; may be repeated.",
    ),
]
WalltimeOption = Annotated[
    str | None,
    typer.Option(metavar="DURATION", help="End after this time, like 90s, 30m, 12h, 2d. Default in SLURM: the job's."),
]
UntilOption = Annotated[
    str | None, typer.Option(metavar="TIME", help="End at this time, like 2030-01-31T18:00, instead of --walltime.")
]
