"""`python -m workroom.server.print_openapi` prints the OpenAPI document; no server and no database are needed."""

from __future__ import annotations

import sys

import orjson

from workroom.server.app import create_rest_app

if __name__ == "__main__":
    sys.stdout.buffer.write(orjson.dumps(create_rest_app().openapi()))
