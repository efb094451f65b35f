#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kernels of more compilers: XLA and Pallas (JAX), Inductor (PyTorch), Numba. Nobody tells how these are launched, so any launch will do.

    others.py compile FOLDER        on a machine with a card: FOLDER gets NAME.ptx
    others.py words FOLDER RUN      RUN is the command `lanescope`; FOLDER gets launches.txt

Each pointer gets 4 MiB, each number 64 or 1000. Launches that end in a fault on the emulator are left out: an index out of random memory leads
anywhere.
"""
import glob
import itertools
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

FILLS = ('f32:1048576=random', 'f32:1048576=index', 'u32:1048576=index', 'u8:4194304=3')


def jax_kernels(folder):
    os.environ['XLA_FLAGS'] = '--xla_dump_to=%s --xla_gpu_dump_llvmir=true --xla_dump_emitter_re=.* --xla_gpu_enable_command_buffer=' % folder
    os.environ['XLA_PYTHON_CLIENT_PREALLOCATE'] = 'false'
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl
    f32 = jnp.float32
    x = jax.random.normal(jax.random.PRNGKey(0), (256, 512), jnp.float16)
    w = jax.random.normal(jax.random.PRNGKey(1), (512, 256), jnp.float16)

    def product(a, b):
        return jax.nn.relu(a @ b + 1)

    def softmax(a):
        return jax.nn.softmax(a.astype(f32), -1)

    def sorted_rows(a):
        return jnp.sort(a, -1)

    def sums(a):
        return jnp.cumsum(a.astype(f32), 1), jnp.argmax(a, 1), a.std(0)

    def scatter(a, i):
        return jnp.zeros(512, f32).at[i].add(a)

    def gradient(w):
        return jax.grad(lambda w: jax.nn.gelu(x.astype(f32) @ w).mean())(w)

    def turned(a):
        return jnp.transpose(a.reshape(16, 16, 16, 32), (3, 1, 0, 2)) * 2

    def eight(a, b):
        return jnp.dot(a.astype(jnp.float8_e4m3fn), b.astype(jnp.float8_e4m3fn), preferred_element_type=f32)

    def top(a):
        return jax.lax.top_k(a.astype(f32), 5)

    def blocks(a, b):
        def kernel(a, b, o):
            o[...] = jnp.dot(a[...], b[...], preferred_element_type=f32)
        shape = jax.ShapeDtypeStruct((256, 256), f32)
        rows, cols = pl.BlockSpec((64, 512), lambda i, j: (i, 0)), pl.BlockSpec((512, 64), lambda i, j: (0, j))
        return pl.pallas_call(kernel, out_shape=shape, grid=(4, 4), in_specs=[rows, cols], out_specs=pl.BlockSpec((64, 64), lambda i, j: (i, j)))(a, b)

    for function, arguments in ((product, (x, w)), (softmax, (x,)), (sorted_rows, (x,)), (sums, (x,)), (scatter, (x[0].astype(f32), jnp.arange(512) % 37)),
                                (gradient, (w.astype(f32),)), (turned, (x,)), (eight, (x, w)), (top, (x,)), (blocks, (x, w))):
        jax.block_until_ready(jax.jit(function)(*arguments))
    for path in sorted(glob.glob(folder + '/*.ptx')):
        name = re.search(r'jit_+(\w+)\.(?:\w+\.)*?(\d*)\.?ptx', os.path.basename(path))
        yield 'xla_%s_%s' % (name[1].strip('_'), name[2] or 0), path


def inductor_kernels(folder):
    os.environ['TRITON_CACHE_DIR'] = folder
    os.environ['TORCHINDUCTOR_CACHE_DIR'] = folder + '/inductor'
    import torch
    import torch.nn.functional as F
    from torch.nn.attention.flex_attention import flex_attention
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(256, 512), torch.nn.GELU(), torch.nn.LayerNorm(512), torch.nn.Dropout(0.1), torch.nn.Linear(512, 64)).cuda()
    torch.compile(lambda x, y: F.cross_entropy(net(x), y))(torch.randn(128, 256, device='cuda'), torch.randint(0, 64, (128,), device='cuda')).backward()
    q, k, v = (torch.randn(1, 2, 256, 64, device='cuda', dtype=torch.float16, requires_grad=True) for _ in range(3))
    torch.compile(flex_attention)(q, k, v, score_mod=lambda s, b, h, i, j: torch.where(i >= j, s, -float('inf'))).sum().backward()
    torch.compile(lambda a: (torch.special.erfcx(a), torch.cumsum(a, 0), a.sort()[0], a.var(), torch.topk(a, 5)[0], a.to(torch.float8_e4m3fn),
                             torch.logcumsumexp(a, 0), torch.special.i0e(a)))(torch.randn(2048, device='cuda'))
    for path in sorted(glob.glob(folder + '/**/*.ptx', recursive=True)):
        yield 'inductor_' + os.path.basename(path)[len('triton_'):-len('.ptx')][:40].strip('_'), path


def numba_kernels(folder):
    import math

    import numpy as np
    np.row_stack = np.vstack  # which Numba wants, and NumPy has no more
    import numba
    from numba import cuda

    @cuda.jit
    def saxpy(n, a, x, y):
        i = cuda.grid(1)
        if i < n:
            y[i] += a * x[i]

    @cuda.jit
    def tiled(A, B, C):
        sa, sb = cuda.shared.array((16, 16), numba.float32), cuda.shared.array((16, 16), numba.float32)
        x, y = cuda.grid(2)
        tx, ty, t = cuda.threadIdx.x, cuda.threadIdx.y, numba.float32(0)
        for i in range(4):
            sa[ty, tx], sb[ty, tx] = A[y, tx + i * 16], B[ty + i * 16, x]
            cuda.syncthreads()
            for j in range(16):
                t += sa[ty, j] * sb[j, tx]
            cuda.syncthreads()
        C[y, x] = math.sin(t) + math.exp(-t * t)

    ones, square = np.ones(1000, np.float32), np.ones((64, 64), np.float32)
    saxpy[8, 128](1000, np.float32(2), ones, ones)
    tiled[(4, 4), (16, 16)](square, square, square)
    for kernel in (saxpy, tiled):
        path = '%s/%s.ptx' % (folder, kernel.py_func.__name__)
        open(path, 'w').write(next(iter(kernel.inspect_asm().values())))
        yield 'numba_' + kernel.py_func.__name__, path


def compile_all(folder):
    os.makedirs(folder, exist_ok=True)
    for kernels in (jax_kernels, inductor_kernels, numba_kernels):
        if os.fork():
            continue  # each in a process of its own: they would share the card's memory badly
        with tempfile.TemporaryDirectory() as work:
            known = set()
            for name, path in kernels(work):
                text = open(path).read()
                if '.entry' not in text or text in known:
                    continue
                known.add(text)
                # Where the files lay is nobody's business.
                text = re.sub(r'"[^"\n]*/', '"', text)
                while os.path.exists('%s/%s.ptx' % (folder, name)):
                    name += '_b'
                open('%s/%s.ptx' % (folder, name), 'w').write(text)
        os._exit(0)
    while True:
        try:
            os.wait()
        except ChildProcessError:
            break
    print(len(glob.glob(folder + '/*.ptx')), 'kernels')


def launches(text):
    entry = re.search(r'\.entry\s+\S+\s*\((.*?)\n?\)', text, re.S)
    if entry is None:
        return
    kinds = re.findall(r'\.param\s+(?:\.align \d+ )?\.([a-z]\d+)', entry[1])
    fixed = ('' if re.search(r'\.(req|max)ntid', text) else ' --block 128') + (' --shared 196608' if '.extern .shared' in text else '')
    for fill, number, grid in itertools.product(FILLS, (1000, 64), (6, 1)):
        if number == 1000 or any(kind[1:] == '32' for kind in kinds):
            given = [fill if kind[1:] == '64' else 'f32=1.5' if kind == 'f32' else '%s=%d' % (kind, number) for kind in kinds]
            yield '--grid %d%s %s' % (grid, fixed, ' '.join(given))


def choose(folder, run):
    def of_kernel(path):
        for launch in launches(open(path).read()):
            try:
                done = subprocess.run([run, 'run', path] + launch.split(), capture_output=True, text=True, timeout=60)
            except subprocess.TimeoutExpired:
                continue
            if done.returncode == 0 and 'changed, bits' in done.stdout:
                return ['%s %s' % (os.path.basename(path)[:-len('.ptx')], launch)]
        return []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        lines = sum(pool.map(of_kernel, sorted(glob.glob(folder + '/*.ptx'))), [])
    open(folder + '/launches.txt', 'w').write(''.join(line + '\n' for line in lines))
    print(len(lines), 'launches')


if __name__ == '__main__':
    compile_all(sys.argv[2]) if sys.argv[1] == 'compile' else choose(sys.argv[2], sys.argv[3])
