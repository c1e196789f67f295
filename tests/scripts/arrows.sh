#!/usr/bin/env bash
# Every #include of src/ and oracle/ follows an arrow of the architecture.
set -euo pipefail
exec python3 -B "$ORDEAL_SOURCE_DIR/tests/arrows/arrows.py" "$ORDEAL_SOURCE_DIR"
