#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Records on a card what the golden tests replay: every fragment map that sm_90a runs, the matrix
# movers, wmma, descriptors, tiles, the scalar forms and the lessons' traces, with where they come
# from. Needs nvcc, python3 and an sm_90a card, nothing else:
#
#   tests/golden/record.sh RESULT_FOLDER [maps|scalar|approximate|lessons]
#
# The maps take 20 minutes of compiling on one core and seconds of the card, the scalar forms two
# minutes and seconds. README.md says what to do with the result.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
result=$(mkdir -p "${1:?usage: record.sh RESULT_FOLDER [maps|scalar|approximate|lessons]}" && cd "$1" && pwd)
what=${2:-all}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
jobs=$(nproc)
flags="-cudart shared -gencode arch=compute_90a,code=sm_90a"
export flags here root work

# where it comes from, at the head of every file
{
  echo "# card: $(nvidia-smi --query-gpu=name,compute_cap --format=csv,noheader | head -1)"
  echo "# driver: $(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -1)"
  echo "# toolkit: $(nvcc --version | grep -o 'release.*')"
  echo "# date: $(date -u +%Y-%m-%d)"
  echo "# command: tests/golden/record.sh"
} > "$work/provenance"
cat "$work/provenance"
toolkit=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")")
for folder in "$toolkit/lib64" "$toolkit/lib" "$toolkit"/targets/*/lib; do
  [ -e "$folder/libcudart.so.13" ] && export LD_LIBRARY_PATH="$folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
done

status=0
record_maps() {
  python3 "$here/generate.py" "$here/instructions.txt" "$work" $((4 * jobs)) || exit 1
  cp "$here/movers.cu" "$here/tma.cu" "$work"
  build() {  # one probe; advice about speed is of no interest
    nvcc -O1 -std=c++20 $flags -I "$here" -o "${1%.cu}" "$1" > "${1%.cu}.log" 2>&1 || { echo "cannot build $1"; head -20 "${1%.cu}.log"; }
  }
  export -f build
  echo "building $(ls "$work"/*.cu | wc -l) probes on $jobs cores"
  time (ls -S "$work"/*.cu | xargs -P "$jobs" -n 1 bash -c 'build "$0"')
  echo "running"
  time for source in "$work"/*.cu; do
    probe=${source%.cu}
    timeout 60 "$probe" > "$probe.out"; rc=$?
    [ $rc = 0 ] || { echo "$(basename "$probe"): exit $rc"; status=1; }
  done
  python3 "$here/collect.py" "$work" "$result" "$work/provenance" || status=1
}
record_scalar() {
  mkdir -p "$work/modules"
  nvcc -O1 -std=c++20 $flags -o "$work/scalar" "$here"/scalar/{record.cu,form.cpp,operands.cpp} || exit 1
  python3 "$here/scalar/forms.py" > "$work/forms.txt"
  python3 "$here/scalar/record.py" filter "$work/scalar" "$work/forms.txt" "$work/modules" || exit 1
  cp "$work/provenance" "$result/scalar.txt"
  python3 "$here/scalar/record.py" run "$work/scalar" "$work/forms.txt" "$work/modules" >> "$result/scalar.txt" || status=1
  echo "scalar forms: $(grep -vc '^#' "$result/scalar.txt"), that ended in an error: $(grep -c '^FAILED' "$result/scalar.txt")"
}
case $what in all | maps) record_maps ;; esac
case $what in all | scalar) record_scalar ;; esac

# the approximate functions: the recording, and the model compared with the card for all inputs
record_approximate() {
  nvcc -std=c++17 -gencode arch=compute_90a,code=sm_90a -o "$work/approximate" "$here/approximate/record.cu" &&
    "$work/approximate" "$result/approximate.bin" "$(grep -v command "$work/provenance" | tr -d '#\n')" || status=1
  nvcc -std=c++17 -arch=sm_90a -I "$root/common" -o "$work/verify" "$here/approximate/verify.cu" &&
    "$work/verify" || status=1
}
case $what in all | approximate) record_approximate ;; esac
case $what in maps | scalar | approximate) exit $status ;; esac

# every lesson's trace, but of those for other cards (lessons/CMakeLists.txt says which)
elsewhere=$(sed -nE 's/^set\(LANESCOPE_(BLACKWELL|GEFORCE)_LESSONS "(.*)"\)/\2/p' "$root/lessons/CMakeLists.txt" | paste -sd '|')
mkdir -p "$result/lessons"
lesson() {
  nvcc -O2 $flags -lineinfo -I "$root/common/device" -o "$work/$1" "$root/lessons/$1/lesson.cu" > "$work/$1.log" 2>&1 ||
    { echo "cannot build lesson $1"; cat "$work/$1.log"; }
}
export -f lesson
(cd "$root/lessons" && ls -d [0-9]*/lesson.cu | cut -d/ -f1 | grep -vE "${elsewhere:-^$}") | xargs -P "$jobs" -n 1 bash -c 'lesson "$0"'
cd "$work"  # so that the traces name no folder
for folder in "$root"/lessons/[0-9]*; do
  name=$(basename "$folder")
  [ -x "$name" ] || continue
  timeout 60 "./$name" --trace "$name.lanes" > "$name.txt" 2>&1; rc=$?
  [ $rc = 0 ] || { echo "lesson $name: exit $rc"; tail -3 "$name.txt"; status=1; }
  [ ! -e "$name.lanes" ] || mv "$name.lanes" "$result/lessons"
done
cd "$root"
ls -l "$result" "$result/lessons"
exit $status
