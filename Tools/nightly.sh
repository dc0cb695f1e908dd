#!/bin/bash
# What is too long for `make test`: a long differential run, the long programs, a soak. All of it runs, whatever fails.
# Usage: Tools/nightly.sh [BUDGET]
#   BUDGET   minutes for the soak, which is most of it; 30 where nothing is said
# Exit status: 0 all passed, 1 something failed; the last line says what.
set -uo pipefail
cd "$(dirname "$0")/.."

budget=${1:-30}
[[ $budget =~ ^[0-9]+(\.[0-9]+)?$ ]] || { echo "usage: Tools/nightly.sh [MINUTES]" >&2; exit 2; }

failed=()
passed=()
part() {
  local name=$1
  shift
  echo "== $name"
  SECONDS=0
  if "$@"; then passed+=("$name ${SECONDS}s"); else failed+=("$name"); fi
}

LNOTE_DIFFERENTIAL_OPERATIONS=${LNOTE_DIFFERENTIAL_OPERATIONS:-1000000}
LNOTE_LONG_PROGRAMS=1
export LNOTE_DIFFERENTIAL_OPERATIONS LNOTE_LONG_PROGRAMS

# One suite a call: a suite that hangs or crashes leaves the others standing.
part "differential" swift test --skip-build --disable-xctest --filter Differential
part "programs" swift test --skip-build --disable-xctest --filter ProgramsTests
part "soak" Tools/soak.py --minutes "$budget" --program .build/debug/faultfs

if [ ${#failed[@]} -gt 0 ]; then
  echo "nightly: FAILED: ${failed[*]}${passed[*]:+; passed: ${passed[*]}}"
  exit 1
fi
echo "nightly: passed: ${passed[*]}"
