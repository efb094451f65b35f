#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Operators of PyTorch on the card, or what stands for one, beside the CPU.

    lanescope run -- python3 pytorch.py f32 [OPERATOR ...]
    lanescope run --save FOLDER -- python3 pytorch.py f32     # and the first launch of every kernel

Takes the operators and their sample inputs from PyTorch's own list (op_db), ten samples each. A result is right within the
tolerance of torch.testing, or where it is at most four times as far from f64's as the CPU's is. Each operator has a process
of its own, a minute long at most. Left out: random numbers, and what needs cuFFT, cuSOLVER or cuDNN.
"""
import os
import signal
import sys
import time
import warnings

warnings.simplefilter("ignore")
import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils._pytree import tree_leaves, tree_map

TYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16, "f64": torch.float64, "i64": torch.int64,
         "c64": torch.complex64}
ROUNDED = (torch.float32, torch.float16, torch.bfloat16)
TOLERANCE = {torch.float16: 2e-3, torch.bfloat16: 1.6e-2}  # the others have torch.testing's own
SAMPLES, SECONDS, FURTHER = 10, 60, 4
LEFT_OUT = set(
    "as_strided bernoulli cauchy cholesky cholesky_inverse cholesky_solve exponential geometric geqrf istft log_normal logdet lu "
    "lu_solve lu_unpack multinomial nn.functional.alpha_dropout nn.functional.dropout nn.functional.dropout2d "
    "nn.functional.dropout3d nn.functional.feature_alpha_dropout nn.functional.fractional_max_pool2d "
    "nn.functional.fractional_max_pool3d nn.functional.rrelu nn.functional.scaled_dot_product_attention normal ormqr "
    "pca_lowrank pinverse qr rand rand_like randint randint_like randn randn_like sparse.mm.reduce stft svd svd_lowrank "
    "tensor_split triangular_solve uniform".split())
PREFIXES_LEFT_OUT = ("empty", "fft.", "linalg.", "new_empty")


def moved(values, device):
    return tree_map(lambda x: x.to(device) if isinstance(x, torch.Tensor) else
                    torch.device(device) if isinstance(x, torch.device) else x, values)


def in_f64(values, dtype):
    return tree_map(lambda x: x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else
                    torch.float64 if x is dtype else x, values)


def distance(values, exact):
    worst = 0.0
    for value, wanted in zip(tree_leaves(values), tree_leaves(exact)):
        if isinstance(value, torch.Tensor) and value.numel():
            worst = max(worst, (value.double() - wanted).abs().nan_to_num(0).max().item())
    return worst


def called(op, sample):
    torch.manual_seed(2)
    return op(sample[0], *sample[1], **sample[2])


def is_right(op, dtype, sample, got, wanted):
    tolerance = TOLERANCE.get(dtype)
    try:
        torch.testing.assert_close(got, wanted, equal_nan=True, rtol=tolerance, atol=tolerance, check_stride=False)
        return ""
    except AssertionError as error:
        why = str(error).splitlines()[0]
    if dtype not in ROUNDED:
        return why
    exact = called(op, in_f64(sample, dtype))
    return "" if distance(got, exact) <= FURTHER * distance(wanted, exact) else why


def compare(op, dtype):
    """Right, wrong and failed samples, and what was wrong with the first ones."""
    counts, said = [0, 0, 0], []
    torch.manual_seed(1)
    torch._C._set_cudnn_enabled(False)
    for index, sample in enumerate(op.sample_inputs("cpu", dtype, requires_grad=False)):
        if index == SAMPLES:
            break
        sample = (sample.input, sample.args, sample.kwargs)
        wanted = called(op, sample)
        try:
            got = moved(called(op, moved(sample, "cuda")), "cpu")
            why, kind = is_right(op, dtype, sample, got, wanted), 1
        except Exception as error:
            why, kind = f"{type(error).__name__}: {str(error).splitlines()[0]}", 2
        counts[kind if why else 0] += 1
        if why:
            said.append(f"  sample {index}: {why[:200]}")
    return "{} right, {} wrong, {} failed".format(*counts) + "".join("\n" + line for line in said[:3])


def in_a_process_of_its_own(work):
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        torch.cuda._is_in_bad_fork = lambda: False  # nothing has used the card yet
        try:
            text = work()
        except BaseException as error:
            text = f"{type(error).__name__}: {error}"
        os.write(writer, text.encode()[:4000])
        # What the runtime says as its process ends is wanted; what Python tears down is not.
        os.close(writer)
        sys.stdout.flush()
        os._exit(0)
    os.close(writer)
    signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
    signal.alarm(SECONDS)
    with os.fdopen(reader, "rb") as pipe:
        text = pipe.read().decode()
    signal.alarm(0)
    os.waitpid(child, 0)
    return text or f"did not end within {SECONDS} s"


def main():
    if len(sys.argv) < 2 or sys.argv[1] not in TYPES:
        sys.exit(f"pytorch.py TYPE [OPERATOR ...]; TYPE is one of {', '.join(TYPES)}")
    dtype, names = TYPES[sys.argv[1]], sys.argv[2:]
    for op in op_db:
        name = op.name + ("." + op.variant_test_name if op.variant_test_name else "")
        if names and op.name not in names and name not in names:
            continue
        if not names and (op.name in LEFT_OUT or op.name.startswith(PREFIXES_LEFT_OUT)):
            continue
        if dtype not in op.supported_dtypes("cpu") or dtype not in op.supported_dtypes("cuda"):
            continue
        begin = time.time()
        result = in_a_process_of_its_own(lambda: compare(op, dtype))
        print(f"{name} {sys.argv[1]} {time.time() - begin:.1f} s: {result}", flush=True)


if __name__ == "__main__":
    main()
