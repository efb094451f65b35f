#!/bin/bash
# Takes the pictures of docs/ and README.md anew, from what every checkout has: the lessons' recordings
# and the atlas. No display is needed.
#
#   docs/images/make.sh           from the top of the checkout, after ./learn build
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
lanescope=build/bin/lanescope
[ -x "$lanescope" ] || { echo "make.sh: no $lanescope; ./learn build makes it" >&2; exit 2; }
# A project of its own, so that runs of one's own are not in the picture.
project=$(mktemp -d)
trap 'rm -rf "$project"' EXIT
cp -r lessons docs "$project"
picture() { LANESCOPE_PROJECT=$project "$lanescope" view "${@:2}" --screenshot "$here/$1.png"; }
picture window 1
picture steps 4 --panel steps --select conflict --height 760
picture pipeline 12 --panel pipeline --width 1180 --height 560
picture atlas --atlas m16n8k32
picture beside --atlas mma.m16n8k16.f32.f16 --beside mma.m16n8k32.f32.e4m3.e4m3 --select "A 9,5" --width 1280 --height 760
picture swizzle --swizzle "128B K 16 8x64" --select 3,5
# A program that knows nothing of Lanescope: attention with mma.sync, out of the tests.
nvcc -std=c++17 -cudart shared -lineinfo -arch=sm_80 -o "$project/attention" tests/programs/flash_mma.cu
"$lanescope" run --steps all --trace "$project/attention.lanes" -- "$project/attention" >"$project/said"
picture own "$project/attention.lanes" --panel fragments --product 18 --select "B 9,5"
# The kernel of docs/own_kernel.md, as it stands there.
sed -n '/^```cuda$/,/^```$/p' docs/own_kernel.md | grep -v '^```' >"$project/own_kernel.cu"
nvcc -std=c++17 -cudart shared -lineinfo -arch=sm_80 -o "$project/own_kernel" "$project/own_kernel.cu"
"$lanescope" run --steps all --trace "$project/own.lanes" -- "$project/own_kernel" >"$project/said"
picture diagnosis "$project/own.lanes" --panel fragments --select "A 9,5" --width 1280 --height 720
# A kernel of Triton whose warps have roles, as the tests launch it.
cmake -E chdir "$project" cmake -E tar xf "$PWD/tests/golden/compilers/kernels.tar.zst"
read -ra words < <(sed -n 's/^tma_f16_roles_sm90 //p' "$project/kernels/launches.txt")
"$lanescope" run --steps all --trace "$project/triton.lanes" "$project/kernels/tma_f16_roles_sm90.ptx" "${words[@]}" >"$project/said"
picture triton "$project/triton.lanes" --panel pipeline --width 1280 --height 800
picture descriptor --descriptor "0x4000002000010040 128B K 16 64x64" --select 8,0
