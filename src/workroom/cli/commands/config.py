"""`workroom config`: the settings, with the origin of each value."""

from __future__ import annotations

from typing import Any

import typer

from workroom.cli import output
from workroom.cli.database import DataOption
from workroom.cli.output import JsonOption

app = typer.Typer(name="config", help="The settings, and where each value comes from.", no_args_is_help=True)


@app.command()
def show(data: DataOption = None, json: JsonOption = False) -> None:
    """List all settings with value, origin and meaning."""
    from workroom.server.settings import SECRETS, Settings, load
    from workroom.store.embedded import default_data_folder

    folder = default_data_folder()
    configured = load({"data": data}, folder)
    rows: list[dict[str, Any]] = []
    for name, field in Settings.model_fields.items():
        value = getattr(configured.settings, name)
        if name == "data" and value is None:
            value = folder
        shown = "set" if name in SECRETS and value is not None else value
        rows.append(
            {"name": name, "value": shown, "origin": configured.origins[name], "meaning": field.description or ""}
        )
    output.print_rows(rows, COLUMNS, json=json)


COLUMNS: output.Columns = {
    "setting": lambda one: one["name"],
    "value": lambda one: str(one["value"]),
    "origin": lambda one: one["origin"],
    "meaning": lambda one: one["meaning"],
}
