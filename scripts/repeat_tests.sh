#!/usr/bin/env bash
# repeat_tests.sh N: `make check test` N times beside two busy loops, and a table of the runs. Exits with 1 if one failed.
# TARGETS="…" makes other targets. The output of each run is in a file below LOGS (default: a temporary folder).
set -uo pipefail
times=${1:?usage: scripts/repeat_tests.sh N}
targets=${TARGETS:-check test}
logs=${LOGS:-$(mktemp -d -t workroom-repeat-XXXXXX)}
cd "$(dirname "$0")/.." || exit 2
mkdir -p "$logs"

loops=()
end_loops() { kill "${loops[@]}" 2>/dev/null; wait "${loops[@]}" 2>/dev/null; }
trap end_loops EXIT
trap 'exit 130' INT TERM
for _ in 1 2; do
  while :; do :; done &
  loops+=($!)
done

failed=0
summary=""
for run in $(seq "$times"); do
  echo "Run $run of $times: make $targets, with its output in $logs/$run.log ..."
  started=$SECONDS
  # shellcheck disable=SC2086 - the targets are words
  if env -u MAKEFLAGS -u MAKELEVEL make $targets >"$logs/$run.log" 2>&1; then result=passed; else result=FAILED; failed=$((failed + 1)); fi
  tests=$(grep -oE '[0-9]+ (passed|failed|skipped|errors?)\b' "$logs/$run.log" | tail -4 | paste -sd ' ')
  summary+=$(printf '%3d  %-6s  %5d s  load %s  %s' "$run" "$result" $((SECONDS - started)) "$(cut -d' ' -f1 /proc/loadavg 2>/dev/null)" "$tests")$'\n'
done
printf '\n%s%d of %d runs passed.\n' "$summary" $((times - failed)) "$times"
[ "$failed" -eq 0 ]
