#!/bin/bash
# Takes the pictures of docs/ and README.md anew, from what every checkout has: the lessons' recordings
# and the atlas. No display is needed.
#
#   docs/images/make.sh           from the top of the checkout, after ./learn build
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
lanescope=$PWD/build/bin/lanescope
[ -x "$lanescope" ] || { echo "make.sh: no $lanescope; ./learn build makes it" >&2; exit 2; }
# A project of its own, so that runs of one's own are not in the picture.
project=$(mktemp -d)
trap 'rm -rf "$project"' EXIT
cp -r lessons docs "$project"
# There, so that no picture has a folder's name in it.
picture() {
  if [ "$1" = page ]; then page "$2"; else
    (cd "$project" && LANESCOPE_PROJECT=$project "$lanescope" view "${@:2}" --screenshot "$here/$1.png")
  fi
}
# page ADDRESS: left as it is where ./learn web has not built it, or there is no Chromium.
page() {
  [ -f build-web/lanescope.html ] && command -v chromium >/dev/null || return 0
  chromium --headless=new --no-sandbox --use-angle=swiftshader --enable-unsafe-swiftshader --user-data-dir="$project/chromium" \
    --window-size=1440,920 --virtual-time-budget=20000 --screenshot="$here/page.png" \
    "file://$PWD/build-web/lanescope.html#$1" 2>/dev/null
}
record() { (cd "$project" && "$lanescope" run --steps "$1" --trace "$2" "${@:3}" >said 2>&1); }
picture window 1
picture steps 4 --panel steps --select conflict --height 760
picture pipeline 12 --panel pipeline --width 1180 --height 560
picture atlas --atlas m16n8k32
picture beside --atlas mma.m16n8k16.f32.f16 --beside mma.m16n8k32.f32.e4m3.e4m3 --select "A 9,5" --width 1280 --height 760
picture swizzle --swizzle "128B K 16 8x64" --select 3,5
picture layout --swizzle "(32,33):(33,1) bits=32 access=D mma.m16n8k16.f32.f16" --select 3,5 --width 1280 --height 760
# A program that knows nothing of Lanescope: attention with mma.sync, out of the tests.
nvcc -std=c++17 -cudart shared -lineinfo -arch=sm_80 -o "$project/attention" tests/programs/flash_mma.cu
record all attention.lanes -- ./attention
picture own attention.lanes --panel fragments --product 18 --select "B 9,5"
# The kernel of docs/own_kernel.md, as it stands there.
sed -n '/^```cuda$/,/^```$/p' docs/own_kernel.md | grep -v '^```' >"$project/own_kernel.cu"
nvcc -std=c++17 -cudart shared -lineinfo -arch=sm_80 -o "$project/own_kernel" "$project/own_kernel.cu"
record all own.lanes -- ./own_kernel
picture diagnosis own.lanes --panel fragments --select "A 9,5" --width 1280 --height 720
# A kernel of Triton whose warps have roles, as the tests launch it.
cmake -E chdir "$project" cmake -E tar xf "$PWD/tests/golden/compilers/kernels.tar.zst"
read -ra words < <(sed -n 's/^tma_f16_roles_sm90 //p' "$project/kernels/launches.txt")
record all triton.lanes kernels/tma_f16_roles_sm90.ptx "${words[@]}"
picture triton triton.lanes --panel pipeline --width 1280 --height 800
picture page "run multiply"
picture descriptor --descriptor "0x4000002000010040 128B K 16 64x64" --select 8,0
# llama.cpp's flash attention, where its library is: GGML=FOLDER docs/images/make.sh
[ -n "${GGML:-}" ] || exit 0
g++ -std=c++20 tests/golden/libraries/{ggml,cases}.cpp -o "$project/ggml" -L "$GGML" -l:libggml-base.so \
  -l:libggml-cuda.so -Wl,-rpath,"$GGML" -Wl,--unresolved-symbols=ignore-all
record mma llama.lanes -- ./ggml 1 "flash size 64 n 20 group 1"
picture llama llama.lanes --product 3 --select "B 3,2"
