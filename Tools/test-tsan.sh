#!/bin/bash
# The suites of the failing disk and its mount under the thread sanitizer; ends with the status of the tests.
# The programs that the tests start, `faultfs` above all, are built with it too, and a race ends them with an error.
set -euo pipefail
cd "$(dirname "$0")/.."
build=.build-tsan
export TSAN_OPTIONS="halt_on_error=1 ${TSAN_OPTIONS:-}"
swift build --build-tests --sanitize=thread --scratch-path "$build" 2>&1 | tail -n 3
swift test --skip-build --disable-xctest --sanitize=thread --scratch-path "$build" --filter 'FaultFSTests|FaultDiskTests'
