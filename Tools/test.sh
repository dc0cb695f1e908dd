#!/bin/bash
# Style, one debug build, every test. Ends with the test runner's own lines and its exit status.
set -euo pipefail
cd "$(dirname "$0")/.."

echo "style: swift format lint --strict"
swift format lint --strict --parallel --recursive Sources Tests Package.swift
Tools/build.sh tests
# There is no XCTest here; without it the last lines are those of Swift Testing. A line for each test that starts would
# bury what failed.
status=0
swift test --skip-build --disable-xctest 2>&1 | { grep --line-buffered -v '^◇ .* started\.$' || true; } || status=$?
exit "$status"
