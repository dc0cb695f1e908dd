#!/bin/bash
# Style, one debug build, every test. Ends with the test runner's own lines and its exit status.
set -euo pipefail
cd "$(dirname "$0")/.."

echo "style: swift format lint --strict"
swift format lint --strict --parallel --recursive Sources Tests Package.swift
Tools/build.sh tests
# There is no XCTest here; without it the runner's last lines are those of Swift Testing.
exec swift test --skip-build --disable-xctest
