#!/bin/bash
# Records lesson.cu's kernels as SASS: compiles them to PTX and to machine code, disassembles that,
# and writes under every line of PTX what became of it. Needs nvcc and nvdisasm, no GPU.
#
#   ./record.sh sm_90a              prints the listing
#   ./record.sh sm_90a > listings/sm_90a.inc
set -euo pipefail
arch=${1:?which architecture? ./record.sh sm_90a}
here=$(cd "$(dirname "$0")" && pwd)
for tool in nvcc nvdisasm; do
  command -v "$tool" > /dev/null || { echo "record.sh: no $tool; the CUDA toolkit has it" >&2; exit 2; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version() { "$1" --version | sed -n 's/.*, \(V[0-9.]*\)$/\1/p' | tail -1; }

# LISTING leaves the recorder out, which would be most of the listing.
nvcc -DLISTING -std=c++17 -lineinfo -arch="$arch" -ptx -I "$here/../../common/device" \
  "$here/lesson.cu" -o "$work/lesson.ptx"
nvcc -DLISTING -std=c++17 -lineinfo -arch="$arch" -cubin -Xptxas -v \
  -I "$here/../../common/device" "$here/lesson.cu" -o "$work/lesson.cubin" 2> "$work/ptxas"
nvdisasm -c -gp "$work/lesson.cubin" > "$work/sass"

echo 'R"sass('
echo "# $arch: nvcc $(version nvcc), nvdisasm $(version nvdisasm), $(date -u +%Y-%m-%d)"
echo "# nvcc -DLISTING -std=c++17 -lineinfo -arch=$arch -cubin lesson.cu; nvdisasm -c -gp lesson.cubin"
for kernel in multiply_f16 multiply_e4m3 tiles_fit tiles_spill multiply_wgmma; do
  awk -v kernel="$kernel" '
    /Compiling entry function/ { on = index($0, "\x27" kernel "\x27") > 0 }
    on && /spill stores/ { for (i = 1; i < NF; ++i) if ($(i + 1) == "bytes" && $(i + 2) == "spill" && $(i + 3) ~ /stores/) spill = $i }
    on && /Used [0-9]+ registers/ { for (i = 1; i < NF; ++i) if ($i == "Used") registers = $(i + 1) }
    END { printf "[%s] %d registers, %d bytes of spill stores\n", kernel, registers, spill }
  ' "$work/ptxas"
  awk -v kernel="$kernel" '
    NR == FNR { sub(/^[ \t]+/, ""); gsub(/[ \t]+/, " "); ptx[FNR] = $0; next }
    $0 == ".text." kernel ":" { on = 1; line = 0; next }
    on && /^\.L_x_[0-9]+:/ { ended = after_exit }
    !on || ended { next }
    /^\/\/-----/ { exit }
    /nv_debug_ptx_txt/ { number = $NF; if (number != line) { line = number; said = 0 } }
    /^[ \t]+\/\*[0-9a-f]+\*\// {
      text = $0
      address = text; sub(/^[ \t]+\/\*/, "", address); sub(/\*\/.*/, "", address)
      sub(/^[ \t]+\/\*[0-9a-f]+\*\/[ \t]+/, "", text); sub(/[ \t]*;.*$/, "", text)
      gsub(/[ \t]+/, " ", text)
      if (!said && line) { print "P " line " " ptx[line]; said = 1 }
      print "S " address " " text
      after_exit = text ~ /^EXIT/
    }
  ' "$work/lesson.ptx" "$work/sass"
done
echo ')sass"'
