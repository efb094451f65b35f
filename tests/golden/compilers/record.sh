#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Compiles the kernels of cases.py and launches each on a card: what the test replays. Needs nvcc, an sm_90a card,
# Triton, and the headers of fmt (FMT names their folder where the compiler does not find them).
#
#   tests/golden/compilers/record.sh RESULT_FOLDER [KERNELS]
#
# RESULT gets kernels/ with the PTX and launches.txt, and h200.txt: of each launch the launcher's line for every
# parameter that it changed. KERNELS is a folder with both that others.py has made: then those are launched.
# README.md says what to do with them.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
result=$(mkdir -p "${1:?usage: record.sh RESULT_FOLDER}" && cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
toolkit=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")")
if [ $# -gt 1 ]; then cp -r "$2" "$result/kernels"; else python3 "$here/compile.py" "$result/kernels"; fi
g++ -std=c++20 -O1 -DFMT_HEADER_ONLY ${FMT:+-I "$FMT"} -I "$root/common" -o "$work/launch_ptx" \
  "$root"/common/launcher/*.cpp "$root/common/numeric/format.cpp" -L "$toolkit/lib64/stubs" -lcuda
{
  echo "# card: $(nvidia-smi --query-gpu=name,compute_cap --format=csv,noheader | head -1)"
  echo "# driver: $(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -1)"
  [ $# -gt 1 ] || echo "# compiler: Triton $(python3 -c 'import triton; print(triton.__version__)')"
  echo "# date: $(date -u +%Y-%m-%d)"
  echo "# command: tests/golden/compilers/record.sh"
  # PTX for newer cards is for the emulator alone.
  grep -v '_sm1[02]0 ' "$result/kernels/launches.txt" | while read -r name launch; do
    # shellcheck disable=SC2086
    timeout 30 "$work/launch_ptx" "$result/kernels/$name.ptx" $launch > "$work/said" 2>&1 || echo "failed: exit $?" >> "$work/said"
    grep -E ': changed|lanescope|failed' "$work/said" | grep -v ', b8:' | sed "s/, begins.*//; s/^/$name /"
  done
} > "$result/h200.txt"
tail -3 "$result/h200.txt"
