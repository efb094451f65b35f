#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the recorded kernels by the page's emulator, in node, and compares what they leave in memory with what they
# left on the card; exit code 1 where that differs. Two cores take 2 minutes.
#
#   tests/golden/compilers/webassembly.sh RUN_PTX_JS     RUN_PTX_JS: build-web/bin/run_ptx.js, of ./learn web
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${1:?usage: webassembly.sh RUN_PTX_JS}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export here program
one() {
  read -r folder name launch <<<"$1"
  # shellcheck disable=SC2086
  timeout 120 node "$here/webassembly.js" "$program" "$folder/$name.ptx" $launch >"said/$name" 2>&1 ||
    echo "failed: exit $?" >>"said/$name"
}
export -f one
wrong=0 kernels=0
mkdir said
# What the checker says beside the numbers is not the card's.
changed() { grep -E ': changed|lanescope|failed' "said/$1" | grep -v ', b8:\|an H200 may write' | sed "s/, begins.*//; s/^/$1 /" || true; }
for folder in kernels others; do
  cmake -E tar xf "$here/$folder.tar.zst"
  expected=$here/h200.txt
  [ "$folder" = kernels ] || expected=$here/others_h200.txt
  grep -v '_sm1[02]0 ' "$folder/launches.txt" >"$folder.launches" # PTX for newer cards is for the emulator alone
  sed "s/^/$folder /" "$folder.launches" | xargs -d '\n' -P "$(nproc)" -I{} bash -c 'one "$1"' - {}
  while read -r name _; do changed "$name"; done <"$folder.launches" >"$folder.got"
  # The one that is wrong on the card (recorded_test.cpp says why).
  diff <(grep -v '^#\|^attention_tma_roles_sm90 ' "$expected") <(grep -v '^attention_tma_roles_sm90 ' "$folder.got") || wrong=1
  kernels=$((kernels + $(wc -l <"$folder.launches")))
done
echo "$kernels kernels in WebAssembly: $([ $wrong = 0 ] && echo "the card's bits" || echo "other bits than the card's, see above")"
exit $wrong
