#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The solutions of the exercises in PTX by the page's emulator, in node: each launch leaves the bits
# that it leaves by the command's, and the checker finds as little.
#
#   webassembly.sh RUN_PTX_JS LANESCOPE     RUN_PTX_JS is build-web/bin/run_ptx.js
set -euo pipefail
program=$(realpath "$1") lanescope=$(realpath "$2")
root=$(realpath "$(dirname "$0")/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# What is not of the machine: an address, what a file is called, a card that is said to be another.
common() { grep -v 'it runs as sm_' | sed 's/0x[0-9a-f]*/ADDRESS/g'; }
launches=0
for solution in "$root"/lessons/*/solution.ptx; do
  while read -r words; do
    # shellcheck disable=SC2086
    "$lanescope" run --strict --banks "$solution" $words 2>&1 | common >"$work/command"
    # shellcheck disable=SC2086
    LANESCOPE_CHECK=1 LANESCOPE_STRICT=1 LANESCOPE_BANKS=1 LANESCOPE_ARCH=$(arch=$(sed -n 's/^\.target //p' "$solution"); [[ $arch == sm_1* ]] && echo "$arch" || echo sm_90a) \
      node "$root/tests/golden/compilers/webassembly.js" "$program" "$solution" $words 2>&1 | common >"$work/page"
    diff "$work/command" "$work/page" || { echo "webassembly: $solution $words" >&2; exit 1; }
    grep -q 'nothing to report' "$work/page" || { cat "$work/page"; echo "webassembly: $solution was not checked" >&2; exit 1; }
    launches=$((launches + 1))
  done < <(sed -n 's,^// run: ,,p' "$solution")
done
[ "$launches" -ge 30 ] || { echo "webassembly: $launches launches only" >&2; exit 1; }
echo "$launches launches leave the bits of the command's emulator, and the checker finds as little"
