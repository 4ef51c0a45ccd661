"""`workroom config`: the settings, with the origin of each value."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from workroom.cli.database import DataOption

app = typer.Typer(name="config", help="The settings, and where each value comes from.", no_args_is_help=True)


@app.command()
def show(data: DataOption = None, as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List all settings with value, origin and meaning."""
    from workroom.server.settings import SECRETS, Settings, load
    from workroom.store.embedded import default_data_folder

    configured = load({"data": data}, default_data_folder())
    rows: list[dict[str, Any]] = []
    for name, field in Settings.model_fields.items():
        value = getattr(configured.settings, name)
        shown = "set" if name in SECRETS and value is not None else value
        rows.append(
            {"name": name, "value": shown, "origin": configured.origins[name], "meaning": field.description or ""}
        )
    if as_json:
        print(json.dumps(rows, default=str))
        return
    table = Table("setting", "value", "origin", "meaning", box=None)
    for row in rows:
        table.add_row(row["name"], str(row["value"]), row["origin"], row["meaning"])
    Console().print(table)
