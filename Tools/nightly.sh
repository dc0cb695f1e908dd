#!/bin/bash
# What is too long for `make test`: a long differential run, long programs, crashes of the kernel, a soak. All of it
# runs, whatever fails.
# Usage: Tools/nightly.sh [BUDGET]
#   BUDGET   minutes for made-up scenarios, and as many for the soak; 30 where nothing is said. 10 and 10min are the same
# Exit status: 0 all passed, 1 something failed, 2 wrong use. The last lines say what came of each part.
set -uo pipefail
cd "$(dirname "$0")/.."

budget=${1:-30}
budget=${budget%min}
[[ $budget =~ ^[0-9]+(\.[0-9]+)?$ ]] || { echo "usage: Tools/nightly.sh [MINUTES]" >&2; exit 2; }

LNOTE_DIFFERENTIAL_OPERATIONS=${LNOTE_DIFFERENTIAL_OPERATIONS:-1000000}
LNOTE_CRASH_TRIES=${LNOTE_CRASH_TRIES:-1000}
LNOTE_SALVAGE_TRIES=${LNOTE_SALVAGE_TRIES:-1000}
LNOTE_LONG_PROGRAMS=1
LNOTE_DAMAGE_TRIES=${LNOTE_DAMAGE_TRIES:-10000}
export LNOTE_DAMAGE_TRIES LNOTE_EVERY_FIELD=1 LNOTE_EVERY_BYTE=1 LNOTE_SALVAGE_TRIES LNOTE_EVERY_STEP=1 LNOTE_EVERY_SEED=1 LNOTE_EVERY_REPAIR=1 LNOTE_CRASH_TRIES LNOTE_DIFFERENTIAL_OPERATIONS LNOTE_LONG_PROGRAMS

said=$(mktemp)
trap 'rm -f "$said"' EXIT
results=()
status=0

part() {
  local name=$1 sentence=$2 verdict
  shift 2
  echo "== $name: $sentence"
  SECONDS=0
  if "$@"; then
    verdict=passed
  else
    verdict=FAILED
    status=1
  fi
  results+=("$(printf '%-13s %s in %d s' "$name" "$verdict" "$SECONDS")${left_out:+; left out: $left_out}")
  left_out=
}

# One suite a call: a suite that hangs or crashes leaves the others standing. A name that no test has is a failure, and
# what could not run here is told with the result.
suites() {
  swift test --skip-build --disable-xctest --filter "$1" 2>&1 |
    { grep --line-buffered -vE '^◇ .* started\.$|^↳ T|Planning build' || true; } | tee "$said"
  local ended=${PIPESTATUS[0]}
  left_out=$(sed -n 's/^➜ .* skipped: "\(.*\)"$/\1/p' "$said" | sort -u | paste -sd ';')
  if ! grep -q 'Test run with [1-9]' "$said"; then
    echo "No test ran: no suite is named like $1, or it crashed."
    return 1
  fi
  return "$ended"
}

count=$LNOTE_DIFFERENTIAL_OPERATIONS
part differential "$count generated system calls on a mount and on tmpfs, a fifth of them on ext4; silent for 15 minutes a million" \
  suites Differential
part programs "real programs on a mount and elsewhere; silent for minutes" suites ProgramsTests
part crashes "$LNOTE_CRASH_TRIES crashes of the running kernel's ext4 and XFS for each model; silent for minutes a model" \
  suites RunningKernelTests
part steps "each sync, rename and unlink of the store altered: what convicts it then; silent for minutes" \
  suites SeamNecessityTests
part bugs "two saves crashed at any moment, with each seeded bug of the store; silent for minutes" \
  suites SeededBugTests
part repairs "each repair crashed in every state of every model, and each of its calls failing; silent for minutes" \
  suites RepairSweepTests
part salvage "$LNOTE_SALVAGE_TRIES pages of 1,500 strokes, each damaged at many places; silent for minutes" \
  suites SalvageExactness
part damages "$LNOTE_DAMAGE_TRIES sound documents and as many damaged at random, each field, each byte; silent for minutes" \
  suites DamageCorpusTests
part shrinking "planted mistakes of known size, found and made small from 40 seeds each, the challenge from 100" \
  suites PropertyTestingTests
run=nightly/$(date -u +%Y%m%dT%H%MZ)
# The date is the seed: each night draws other cases, and all machines of one night the same.
part campaign "scenarios made up for $budget minutes; the report: $run/merged/report.html" \
  bin/lnote-nightly run --budget "$(awk "BEGIN { printf \"%d\", $budget * 60 }")s" --seed "$(date -u +%Y%m%d)" \
  --out "$run" --corpus nightly/corpus
part soak "many clients and faults at random, for $budget minutes" \
  Tools/soak.py --minutes "$budget" --program .build/debug/faultfs

printf 'nightly: %s\n' "${results[@]}"
exit "$status"
