#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the operations of ggml on the emulator and compares the bits of each result with an H200's.
#
#     tests/golden/libraries/compare.sh FOLDER [SEED ...]
#
# FOLDER holds a build of ggml with its CUDA backend, as llama.cpp is shipped: libggml-base.so and
# libggml-cuda.so. The recording is of those in the npm package @node-llama-cpp/linux-x64-cuda,
# version 3.22.1 (llama.cpp 0.5.0; `npm pack` fetches it, 143 MB). With ON_CARD=1 nothing is
# compared: the results of the machine's own card are printed, as they were recorded.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(cd "${1:?compare.sh FOLDER [SEED ...]}" && pwd)
seeds=("${@:2}")
[ ${#seeds[@]} -gt 0 ] || seeds=(1 2 3)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
g++ -std=c++20 -O1 "$here/ggml.cpp" "$here/cases.cpp" -o "$work/ggml" \
  -L "$folder" -l:libggml-base.so -l:libggml-cuda.so \
  -Wl,-rpath,"$folder" -Wl,--unresolved-symbols=ignore-all
run=("${LANESCOPE:-$here/../../../build/bin/lanescope}" run)

if [ -n "${ON_CARD:-}" ]; then
  for seed in "${seeds[@]}"; do "$work/ggml" "$seed"; done
  exit
fi
zstd -dqf "$here/h200.txt.zst" -o "$work/card.txt"
for seed in "${seeds[@]}"; do
  "${run[@]}" -- "$work/ggml" "$seed" >"$work/here.txt" 2>"$work/said.txt" || { cat "$work/said.txt"; exit 1; }
  grep "^$seed " "$work/card.txt" >"$work/there.txt"
  # What differs once more, with the registers that ptxas gives: some divide their work by them.
  : >"$work/differ.txt"
  while IFS= read -r line; do
    name=${line%: *}
    "${run[@]}" --registers -- "$work/ggml" "$seed" "${name#* }" >"$work/again.txt" 2>/dev/null
    grep -qxFf "$work/again.txt" "$work/there.txt" || echo "$name" >>"$work/differ.txt"
  done < <(grep -vxFf "$work/there.txt" "$work/here.txt" || true)
  echo "seed $seed: $(wc -l <"$work/here.txt") results, $(wc -l <"$work/differ.txt") with other bits:"
  sed 's/^/  /' "$work/differ.txt"
done
