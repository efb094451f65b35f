#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Launches the solutions of the exercises in PTX on a card: what ptx_exercises_test.cpp compares the emulator with.
# Needs the toolkit, an sm_90a card, and the headers of fmt (FMT names their folder where g++ does not find them).
#
#   tests/lessons/record_ptx.sh >tests/lessons/ptx_h200.txt
#
# A line for each parameter that a launch has changed: lesson, number of the launch, the launcher's line. Each launch
# is made ten times, and must leave the same bits each time.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
toolkit=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")")
g++ -std=c++20 -O1 -DFMT_HEADER_ONLY ${FMT:+-I "$FMT"} -I "$root/common" -o "$work/launch_ptx" \
  "$root"/common/launcher/*.cpp "$root/common/numeric/format.cpp" -L "$toolkit/lib64/stubs" -lcuda
echo "# card: $(nvidia-smi --query-gpu=name,compute_cap --format=csv,noheader | head -1)"
echo "# driver: $(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -1)"
echo "# date: $(date -u +%Y-%m-%d)"
echo "# command: tests/lessons/record_ptx.sh"
for solution in "$root"/lessons/*/solution.ptx; do
  ! grep -q '^\.target sm_1' "$solution" || continue # for newer cards
  lesson=$(basename "$(dirname "$solution")") launch=0
  while read -r words; do
    launch=$((launch + 1))
    for time in $(seq 10); do
      # shellcheck disable=SC2086
      timeout 30 "$work/launch_ptx" "$solution" $words >"$work/said" 2>&1 || echo "failed: exit $?" >>"$work/said"
      grep -E ': changed|lanescope|failed' "$work/said" | sed "s/, begins.*//; s/^/$lesson $launch /" >"$work/now" || true
      if [ "$time" = 1 ]; then cp "$work/now" "$work/first"; fi
      cmp -s "$work/first" "$work/now" || echo "$lesson $launch: other bits the ${time}th time" >>"$work/first"
    done
    cat "$work/first"
  done < <(sed -n 's,^// run: ,,p' "$solution")
done
