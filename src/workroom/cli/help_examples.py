"""Examples of every command, which `--help` and the reference show. A test parses each of them."""

from __future__ import annotations

import typer

EXAMPLES: dict[str, tuple[str, ...]] = {
    "open": ("workroom water.extxyz", "workroom open run.traj more.h5md --room my-room"),
    "serve": (
        "workroom serve",
        "workroom serve --host 0.0.0.0 --port 80 --pool 4",
        "WORKROOM_DATABASE=postgresql://… workroom serve",
    ),
    "demo": ("workroom demo", "workroom demo --check"),
    "worker": (
        "workroom worker stretch.py --room my-room",
        "workroom worker stretch.py --room my-room --reload",
        "workroom worker my.package.tasks --url https://workroom.example.org",
    ),
    "pool": ("workroom pool --import tasks.py --workers 8", "workroom pool --built-in --url http://server:8686"),
    "celery": (
        "workroom celery --broker redis://127.0.0.1:6379/0",
        "workroom celery --import tasks.py --no-built-in --concurrency 4 -Q workroom",
    ),
    "fleet slurm": ("workroom fleet slurm --template worker.sbatch --room my-room --min 0 --max 20",),
    "fleet local": ("workroom fleet local stretch.py --room my-room --max 4",),
    "run": (
        "workroom run my-room modifiers/Relax fmax=0.01 --wait",
        "workroom run my-room analysis/Distance --priority 8",
    ),
    "post": (
        "workroom post tasks.py:resize calls.jsonl --wait",
        "seq 100 | workroom post tasks.py:resize - --label numbers",
    ),
    "doctor": ("workroom doctor", "workroom doctor --url http://server:8686 --json"),
    "login": (
        "workroom login --url https://workroom.example.org --user ada",
        "workroom login --url https://workroom.example.org --code CODE-OF-THE-ACCOUNT-PAGE",
        "pass show workroom | workroom login --user ada",
    ),
    "logout": ("workroom logout", "workroom logout --everywhere"),
    "whoami": ("workroom whoami", "workroom whoami --json"),
    "token create": (
        "workroom token create gpu-box --scope worker --expires 90d",
        "workroom token create prometheus --scope metrics",
    ),
    "token list": ("workroom token list",),
    "token revoke": ("workroom token revoke gpu-box",),
    "version": ("workroom version", "workroom --version"),
    "postings list": ("workroom postings list --status executing", "workroom postings list --mine --json"),
    "postings show": ("workroom postings show last", "workroom postings show 0192f0c1 --failures 20"),
    "postings watch": ("workroom postings watch last", "workroom postings watch last --every 2 --json"),
    "postings pause": ("workroom postings pause last",),
    "postings resume": ("workroom postings resume last",),
    "postings cancel": ("workroom postings cancel 0192f0c1",),
    "postings retry": ("workroom postings retry last",),
    "jobs list": ("workroom jobs list --room my-room --status failed", "workroom jobs list --posting last -n 10"),
    "jobs show": ("workroom jobs show last", "workroom jobs show 0192f0c1 --json"),
    "jobs watch": ("workroom jobs watch last",),
    "jobs cancel": ("workroom jobs cancel last",),
    "jobs retry": ("workroom jobs retry 0192f0c1",),
    "jobs logs": ("workroom jobs logs last --follow",),
    "workers list": ("workroom workers list", "workroom workers list --room my-room --json"),
    "workers show": ("workroom workers show last",),
    "workers drain": ("workroom workers drain 0192f0c1",),
    "workers remove": ("workroom workers remove 0192f0c1",),
    "rooms list": ("workroom rooms list", "workroom rooms list water -n 10"),
    "rooms show": ("workroom rooms show my-room",),
    "rooms create": ('workroom rooms create my-room --private --description "Water at 300 K"',),
    "rooms set": ("workroom rooms set my-room --visibility private --extensions-from members",),
    "rooms delete": ("workroom rooms delete my-room", "workroom rooms delete my-room --yes"),
    "rooms remove-extension": ("workroom rooms remove-extension my-room modifiers/Relax",),
    "rooms lock": ("workroom rooms lock my-room",),
    "rooms unlock": ("workroom rooms unlock my-room",),
    "rooms duplicate": ("workroom rooms duplicate my-room my-copy",),
    "rooms download": (
        "workroom rooms download my-room",
        "workroom rooms download my-room last.cif --start -1 --selection 0,1,5",
    ),
    "rooms export": ("workroom rooms export my-room run.h5md --step 10",),
    "admin users": ("workroom admin users", "workroom admin users ada --json"),
    "admin create": ("workroom admin create ada", "workroom admin create grace --admin"),
    "admin promote": ("workroom admin promote ada",),
    "admin demote": ("workroom admin demote ada",),
    "admin disable": ("workroom admin disable ada",),
    "admin enable": ("workroom admin enable ada",),
    "admin delete": ("workroom admin delete ada --yes",),
    "admin reset-password": ("workroom admin reset-password ada",),
    "admin quotas": ("workroom admin quotas ada", "workroom admin quotas my-room --room"),
    "admin set-quota": (
        "workroom admin set-quota ada bytes 50_000_000_000",
        "workroom admin set-quota my-room frames default --room",
    ),
    "admin space": ("workroom admin space -n 10",),
    "admin audit": ("workroom admin audit -n 20",),
    "admin queues": ("workroom admin queues",),
    "admin pause": (
        "workroom admin pause modifiers/Relax",
        "workroom admin pause modifiers/Stretch --room my-room",
        "workroom admin pause functions/resize",
    ),
    "admin resume": ("workroom admin resume functions/resize",),
    "admin adjust": (
        "workroom admin adjust modifiers/Relax --concurrency 2 --priority 8",
        "workroom admin adjust modifiers/Stretch --room my-room --as-registered",
    ),
    "admin close-breakers": ("workroom admin close-breakers modifiers/Stretch --room my-room",),
    "config show": ("workroom config show", "workroom config show --json"),
    "db upgrade": ("workroom db upgrade",),
    "db check": ("workroom db check", "workroom db check --json"),
    "db describe": ("workroom db describe",),
    "db dump": ("workroom db dump workroom.sql.gz",),
    "db restore": ("workroom db restore workroom.sql.gz", "workroom db restore workroom.sql.gz --replace"),
    "profiles top": (
        "workroom profiles top",
        "workroom profiles top resize --order calls --since 2026-01-31",
        "workroom profiles top resize --url https://workroom.example.org",
    ),
    "profiles show": ("workroom profiles show resize --of decode",),
    "profiles diff": ("workroom profiles diff resize version:1.4 version:1.5",),
    "profiles export": ("workroom profiles export resize --format speedscope -o resize.json",),
}


def add_examples(app: typer.Typer, prefix: str = "") -> None:
    """Append the examples of each command to its help."""
    for command in app.registered_commands:
        assert command.name is not None or command.callback is not None
        word = command.name or (command.callback.__name__ if command.callback else "")
        lines = [f"  {line}" for line in EXAMPLES[f"{prefix}{word}"]]
        command.epilog = "\n\n".join(["Examples:", *lines])
    for group in app.registered_groups:
        if group.typer_instance is not None:
            add_examples(group.typer_instance, f"{prefix}{group.name} ")
