#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Everything about the CUDA kernels that only a GPU can tell, as one Markdown table: self-test,
# correctness, read and copy ceilings, four shapes by three splits, MHA to MQA at equal bytes,
# prefill; memory errors by compute-sanitizer and a framework's attention on the same shapes where
# they are installed. Needs nvcc and one NVIDIA GPU, nothing else of the project's build.
# Usage: tests/device/check.sh [FOLDER for the build and the table; default a temporary one]
# Exit 0 all right, 1 something is wrong, 4 no GPU or no nvcc.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=${1:-$(mktemp -d)}
mkdir -p "$out"

nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc /opt/cuda/bin/nvcc 2>/dev/null | head -n 1 || true)
if [ -z "$nvcc" ]; then
    echo "check.sh: nvcc is not installed" >&2
    exit 4
fi
capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1 | tr -d '. ' || true)
if [ -z "$capability" ]; then
    echo "check.sh: nvidia-smi shows no GPU" >&2
    exit 4
fi

# One object a file, side by side; the architecture is the one that is there.
flags=(-std=c++20 -O3 -I. "-gencode=arch=compute_$capability,code=sm_$capability")
sources=(kernels/problem.cc kernels/split.cc kernels/plan.cc kernels/exact.cc
         kernels/cuda/*.cc kernels/cuda/*.cu tests/device/device_check.cu)
started=$SECONDS
printf '%s\0' "${sources[@]}" | xargs -0 -P "$(nproc)" -I{} sh -c \
    'source=$1; shift; exec "$@" -c "$source" -o "$0/$(echo "$source" | tr / _).o"' \
    "$out" {} "$nvcc" "${flags[@]}"
"$nvcc" "${flags[@]}" "$out"/*.o -o "$out/device_check" -ldl
echo "Built for sm_$capability in $((SECONDS - started)) s." >&2

status=0
table="$out/table.md"
"$out/device_check" | tee "$table" || status=1

if command -v compute-sanitizer >/dev/null; then
    for tool in memcheck racecheck; do
        if timeout 120 compute-sanitizer --tool "$tool" --error-exitcode 1 "$out/device_check" --small \
            >"$out/$tool.txt" 2>&1; then
            echo "compute-sanitizer $tool: no error" | tee -a "$table"
        else
            echo "compute-sanitizer $tool: see $out/$tool.txt" | tee -a "$table"
            status=1
        fi
    done
else
    echo "compute-sanitizer: not installed" | tee -a "$table"
fi

if python3 -c 'import torch, sys; sys.exit(not torch.cuda.is_available())' 2>/dev/null; then
    timeout 120 python3 tests/device/torch_attention.py | tee -a "$table" || status=1
else
    echo "PyTorch with CUDA: not installed, no comparison" | tee -a "$table"
fi
echo "Table: $table" >&2
exit $status
