#!/bin/bash
# The suites of the failing disk and its mount under the thread sanitizer; ends with the status of the tests.
# The programs that the tests start, `faultfs` above all, are built with it too, and a race ends them with an error.
# Usage: Tools/test-tsan.sh [FILTER]
#   FILTER   which tests, as for `swift test --filter`; those of the disk and the mount where nothing is said
set -euo pipefail
cd "$(dirname "$0")/.."
build=$PWD/.build/tsan
export TSAN_OPTIONS="halt_on_error=1 ${TSAN_OPTIONS:-}"

mkdir -p "$build/canary"
clang=$(dirname "$(realpath "$(command -v swift)")")/clang
"$clang" -O1 -c Tools/tsan/mutex.c -o "$build/canary/mutex.o"
lock='$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF'
unlock='$s15Synchronization12_MutexHandleV11_unlockSlowyyF'
mutex=(-Xlinker "$build/canary/mutex.o" -Xlinker "--wrap=$lock" -Xlinker "--wrap=$unlock")

swiftc -O -g -swift-version 5 -sanitize=thread Tools/tsan/canary.swift "${mutex[@]}" -o "$build/canary/canary"
if ! "$build/canary/canary" >"$build/canary/said" 2>&1; then
  cat "$build/canary/said" >&2
  echo "test-tsan: the sanitizer reports a counter that a Mutex guards: what it says below would mean nothing." >&2
  exit 1
fi
if "$build/canary/canary" race >"$build/canary/said" 2>&1; then
  echo "test-tsan: the sanitizer does not report a race made on purpose: its silence would mean nothing." >&2
  exit 1
fi
echo "canary: a guarded counter is silent, a race is reported"

if ! swift build --build-tests --sanitize=thread --scratch-path "$build" "${mutex[@]}" >"$build/canary/said" 2>&1; then
  cat "$build/canary/said" >&2
  echo "test-tsan: the build failed; the lines above say where." >&2
  exit 1
fi
swift test --skip-build --disable-xctest --sanitize=thread --scratch-path "$build" "${mutex[@]}" \
  --filter "${1:-FaultFSTests|FaultDiskTests}"
