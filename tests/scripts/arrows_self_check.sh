#!/usr/bin/env bash
# The check of the arrows finds made-up violations.
set -euo pipefail
exec python3 -B "$ORDEAL_SOURCE_DIR/tests/arrows/arrows.py" --self-check
