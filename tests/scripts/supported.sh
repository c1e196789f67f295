#!/usr/bin/env bash
# docs/supported.md has every function of the C headers, and each supported name its tests.
set -euo pipefail
exec python3 -B "$ORDEAL_SOURCE_DIR/tests/supported/supported.py" "$ORDEAL_SOURCE_DIR"
