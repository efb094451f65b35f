#!/bin/bash
# Records what is shipped with a lesson, anew: recorded.lanes, what it writes with --trace, and where
# there is one, recorded.steps.lanes.zst, the steps of the kernel that its first lines name. For who
# has no CUDA toolkit; `lanescope view N` shows them until there is a run of one's own. A lesson whose
# steps shall be shipped for the first time: touch lessons/NN_name/recorded.steps.lanes.zst before.
#
#   lessons/record.sh 01_fragment_layout ...     from the top of the checkout, after ./learn build
set -euo pipefail
[ $# -gt 0 ] || { echo "record.sh: which lesson? lessons/record.sh 01_fragment_layout" >&2; exit 2; }
command -v zstd > /dev/null || { echo "record.sh: no zstd; apt-get install zstd" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for lesson in "$@"; do
  folder=lessons/$lesson program=build/lessons/$lesson/$lesson
  build/bin/lanescope run -- "$program" --trace "$folder/recorded.lanes" > "$work/said"
  [ -f "$folder/recorded.steps.lanes.zst" ] || continue
  kernel=$(sed -n 's|^//  *Steps: *\([^ ]*\).*|\1|p' "$folder/lesson.cu")
  build/bin/lanescope run --steps "$kernel" --trace "$work/steps.lanes" -- "$program" > "$work/said"
  # Without --trace: the recorder would be most of the steps. Sources as the reader finds them, and no path of this machine.
  sed -i "s|\"file\":\"[^\"]*/lessons/|\"file\":\"lessons/|g; s|\"file\":\"[^\"]*/common/|\"file\":\"common/|g" \
    "$work/steps.lanes"
  zstd -q -f -19 "$work/steps.lanes" -o "$folder/recorded.steps.lanes.zst"
done
