#!/bin/bash
# Feeds every reader with bytes that libFuzzer makes up, led by what they reach in the code.
# Usage: Tools/fuzz.sh [SECONDS] [READER...]
#   SECONDS   for each reader; 60 where nothing is said
#   READER    page, journal, document, manifest, jpeg, thumbnail, json, log, scenario, archive, repair;
#             all where none is named
# What was found interesting stays in .build/fuzz/corpus/READER, what ended a reader in .build/fuzz/found/.
# Exit status: 0 all were fed and stood it, 1 one did not, 2 wrong use.
set -uo pipefail
cd "$(dirname "$0")/.."
build=$PWD/.build/fuzz
all=(page journal document manifest jpeg thumbnail json log scenario archive repair)

seconds=${1:-60}
[[ $seconds =~ ^[0-9]+$ ]] || { echo "usage: Tools/fuzz.sh [SECONDS] [READER...]" >&2; exit 2; }
readers=("${@:2}")
if [ ${#readers[@]} = 0 ]; then readers=("${all[@]}"); fi
for reader in "${readers[@]}"; do
  [[ " ${all[*]} " == *" $reader "* ]] || { echo "fuzz: no reader is named $reader; there are ${all[*]}" >&2; exit 2; }
done

# The instrumented objects are built by SwiftPM and linked here: an executable target would have a main of its own,
# and libFuzzer brings one.
mkdir -p "$build/found"
said=$build/said
if ! swift build --scratch-path "$build" --target Fuzzing -Xswiftc -sanitize=fuzzer -Xswiftc -O >"$said" 2>&1; then
  cat "$said" >&2
  echo "fuzz: the build failed; the lines above say where." >&2
  exit 1
fi
mapfile -t objects < <(find "$build/debug/" -path '*.build/*' -name '*.o' | sort)
read -ra libraries <<<"$(pkg-config --libs libisal libxxhash jansson cairo-pdf libarchive libjpeg)"
if ! swiftc -sanitize=fuzzer "${objects[@]}" "${libraries[@]}" -o "$build/fuzz-readers" >"$said" 2>&1; then
  cat "$said" >&2
  echo "fuzz: linking failed; the lines above say why." >&2
  exit 1
fi

status=0
for reader in "${readers[@]}"; do
  corpus=$build/corpus/$reader
  mkdir -p "$corpus"
  LNOTE_FUZZ=$reader LNOTE_FUZZ_SEEDS=$corpus "$build/fuzz-readers" "$corpus" -max_total_time="$seconds" \
    -timeout=10 -rss_limit_mb=2048 -max_len=65536 -artifact_prefix="$build/found/$reader-" -print_final_stats=1 \
    >"$said" 2>&1
  ended=$?
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$said")
  reached=$(sed -n 's/.* cov: \([0-9]*\).*/\1/p' "$said" | tail -n 1)
  kept=$(find "$corpus" -type f | wc -l)
  if [ "$ended" = 0 ] && [ -n "$runs" ]; then
    echo "fuzz: $reader stood $runs inputs in $seconds s; $reached edges reached, $kept inputs kept"
  else
    status=1
    grep -vE '^#[0-9]+|^INFO|^stat::' "$said" | tail -n 30
    echo "fuzz: $reader did not stand it; the input is in $build/found/"
  fi
done
exit "$status"
