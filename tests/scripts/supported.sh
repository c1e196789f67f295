#!/usr/bin/env bash
# docs/supported.md has the names that the headers have, and each supported one has its tests.
set -euo pipefail
exec python3 -B "$ORDEAL_SOURCE_DIR/tests/supported/supported.py" "$ORDEAL_SOURCE_DIR"
