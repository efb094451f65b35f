# SPDX-License-Identifier: MIT
"""What Triton's users write besides products: rows, columns, scans, sorts, atomics, numbers of every type. compile.py compiles it."""
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def vector_add(x, y, out, n: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) + tl.load(y + at, mask=at < n), mask=at < n)


@triton.jit
def row_softmax(x, out, cols: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * cols + at, mask=at < cols, other=-float('inf')).to(tl.float32)
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * cols + at, (e / tl.sum(e, axis=0)).to(out.dtype.element_ty), mask=at < cols)


@triton.jit
def layer_norm(x, w, b, out, mean_out, rstd_out, cols: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    mean = tl.zeros([BLOCK], tl.float32)
    for begin in range(0, cols, BLOCK):
        at = begin + tl.arange(0, BLOCK)
        mean += tl.load(x + row * cols + at, mask=at < cols, other=0.).to(tl.float32)
    m = tl.sum(mean, axis=0) / cols
    var = tl.zeros([BLOCK], tl.float32)
    for begin in range(0, cols, BLOCK):
        at = begin + tl.arange(0, BLOCK)
        v = tl.load(x + row * cols + at, mask=at < cols, other=0.).to(tl.float32)
        d = tl.where(at < cols, v - m, 0.)
        var += d * d
    r = 1 / tl.sqrt(tl.sum(var, axis=0) / cols + 1e-5)
    tl.store(mean_out + row, m)
    tl.store(rstd_out + row, r)
    for begin in range(0, cols, BLOCK):
        at = begin + tl.arange(0, BLOCK)
        v = tl.load(x + row * cols + at, mask=at < cols, other=0.).to(tl.float32)
        y = (v - m) * r * tl.load(w + at, mask=at < cols) + tl.load(b + at, mask=at < cols)
        tl.store(out + row * cols + at, y.to(out.dtype.element_ty), mask=at < cols)


@triton.jit
def reductions(x, out, arg, N: tl.constexpr, M: tl.constexpr):
    r = tl.arange(0, N); c = tl.arange(0, M)
    v = tl.load(x + r[:, None] * M + c[None, :])
    tl.store(out + r, tl.sum(v, 1))
    tl.store(out + N + c, tl.max(v, 0))
    tl.store(out + N + M + r, tl.min(v, 1))
    tl.store(arg + r, tl.argmax(v, 1))
    tl.store(arg + N + c, tl.argmin(v, 0))


@triton.jit
def xors(x, out, N: tl.constexpr):
    r = tl.arange(0, N)
    v = tl.load(x + r)
    tl.store(out + 0, tl.xor_sum(v, 0))
    tl.store(out + 1 + r, tl.cumsum(v, 0))


@triton.jit
def linear_combine(a0, b0, a1, b1):
    return a0 * a1, b0 * a1 + b1


@triton.jit
def scans(x, y, out, N: tl.constexpr, M: tl.constexpr):
    r = tl.arange(0, N); c = tl.arange(0, M)
    at = r[:, None] * M + c[None, :]
    v = tl.load(x + at); w = tl.load(y + at)
    tl.store(out + at, tl.cumsum(v, 1))
    tl.store(out + N * M + at, tl.cumprod(w, 0))
    p, q = tl.associative_scan((v, w), 1, linear_combine)
    tl.store(out + 2 * N * M + at, p)
    tl.store(out + 3 * N * M + at, q)
    p, q = tl.associative_scan((v, w), 0, linear_combine, reverse=True)
    tl.store(out + 4 * N * M + at, q)


@triton.jit
def sorts(x, out, N: tl.constexpr, M: tl.constexpr):
    r = tl.arange(0, N); c = tl.arange(0, M)
    at = r[:, None] * M + c[None, :]
    v = tl.load(x + at)
    tl.store(out + at, tl.sort(v, 1))
    tl.store(out + N * M + at, tl.flip(v, 1))


@triton.jit
def top(x, out, N: tl.constexpr, M: tl.constexpr):
    r = tl.arange(0, N); c = tl.arange(0, M)
    v = tl.load(x + r[:, None] * M + c[None, :])
    t = tl.topk(v, 8)
    tl.store(out + r[:, None] * 8 + tl.arange(0, 8)[None, :], t)


@triton.jit
def histograms(x, out, N: tl.constexpr, BINS: tl.constexpr):
    v = tl.load(x + tl.arange(0, N))
    tl.store(out + tl.arange(0, BINS), tl.histogram(v & (BINS - 1), BINS))


@triton.jit
def gathers(x, i, out, N: tl.constexpr, M: tl.constexpr):
    r = tl.arange(0, N); c = tl.arange(0, M)
    at = r[:, None] * M + c[None, :]
    v = tl.load(x + at); k = tl.load(i + at) & (M - 1)
    tl.store(out + at, tl.gather(v, k, 1))
    k = k & (N - 1)
    tl.store(out + N * M + at, tl.gather(v, k, 0))


@triton.jit
def atomics(x, counts, sums, big, N: tl.constexpr):
    at = tl.program_id(0) * N + tl.arange(0, N)
    v = tl.load(x + at)
    tl.atomic_add(counts + (v & 63), 1)
    tl.atomic_max(big + (v & 31), v)
    tl.atomic_add(sums + (v & 15), (v & 255).to(tl.float32))
    tl.atomic_xor(big + 32 + (v & 31), v)
    tl.atomic_and(big + 64 + (v & 31), v)


@triton.jit
def lock(counter, out, N: tl.constexpr):
    while tl.atomic_cas(counter, 0, 1) == 1:
        pass
    at = tl.arange(0, N)
    v = tl.load(out + at, volatile=True)
    tl.store(out + at, v + 1)
    tl.debug_barrier()
    tl.atomic_xchg(counter, 0)


@triton.jit
def maths(x, y, out, N: tl.constexpr):
    at = tl.program_id(0) * N + tl.arange(0, N)
    a = tl.load(x + at); b = tl.load(y + at)
    T: tl.constexpr = 8192
    o = out + at
    tl.store(o, tl.exp(a)); o += T
    tl.store(o, tl.log(tl.abs(a) + 0.5)); o += T
    tl.store(o, tl.sin(a)); o += T
    tl.store(o, tl.cos(b)); o += T
    tl.store(o, tl.sqrt(tl.abs(a))); o += T
    tl.store(o, tl.rsqrt(tl.abs(b) + 0.1)); o += T
    tl.store(o, tl.sqrt_rn(tl.abs(b))); o += T
    tl.store(o, tl.div_rn(a, b + 3.0)); o += T
    tl.store(o, a / (b + 3.0)); o += T
    tl.store(o, tl.erf(a)); o += T
    tl.store(o, tl.floor(a) + tl.ceil(b)); o += T
    tl.store(o, tl.fma(a, b, a)); o += T
    tl.store(o, tl.sigmoid(a)); o += T
    tl.store(o, tl.maximum(a, b, propagate_nan=tl.PropagateNan.ALL)); o += T
    tl.store(o, tl.clamp(a, -0.5, 0.75)); o += T
    tl.store(o, libdevice.tanh(a)); o += T
    tl.store(o, libdevice.pow(tl.abs(a) + 0.1, b)); o += T
    tl.store(o, libdevice.atan2(a, b)); o += T
    tl.store(o, libdevice.lgamma(tl.abs(a) + 0.25)); o += T
    tl.store(o, libdevice.expm1(a)); o += T
    tl.store(o, libdevice.rint(a * 7.0)); o += T
    tl.store(o, libdevice.fast_expf(a)); o += T
    tl.store(o, libdevice.j0(a)); o += T
    tl.store(o, libdevice.cbrt(a)); o += T


@triton.jit
def wide(x, y, out, N: tl.constexpr):
    at = tl.program_id(0) * N + tl.arange(0, N)
    a = tl.load(x + at); b = tl.load(y + at)
    tl.store(out + at, tl.umulhi(a.to(tl.uint32), b.to(tl.uint32)).to(tl.int64))
    tl.store(out + 8192 + at, a.to(tl.int64) * b.to(tl.int64) // ((b & 255) + 1).to(tl.int64))
    tl.store(out + 16384 + at, (a.to(tl.int64) << (b & 31)) % 1000003)
    tl.store(out + 24576 + at, (a % ((b & 1023) + 1)).to(tl.int64))
    tl.store(out + 32768 + at, (a.to(tl.float64) / (b.to(tl.float64) + 0.5)).to(tl.int64))


@triton.jit
def randoms(out, N: tl.constexpr):
    at = tl.program_id(0) * N + tl.arange(0, N)
    tl.store(out + at, tl.rand(1234, at))
    tl.store(out + 8192 + at, tl.randn(77, at))
    a, b, c, d = tl.rand4x(5, at)
    tl.store(out + 16384 + at, a + b * c - d)
    tl.store(out + 24576 + at, tl.randint(9, at).to(tl.float32))


@triton.jit
def casts(x, out8, out5, outb, outh, N: tl.constexpr):
    at = tl.program_id(0) * N + tl.arange(0, N)
    v = tl.load(x + at)
    tl.store(out8 + at, v.to(tl.float8e4nv))
    tl.store(out5 + at, v.to(tl.float8e5))
    tl.store(outb + at, v.to(tl.bfloat16))
    tl.store(outh + at, v.to(tl.float16))
    tl.store(outb + 8192 + at, v.to(tl.float8e4nv).to(tl.bfloat16))
    tl.store(outh + 8192 + at, v.to(tl.float8e5).to(tl.float16))
    tl.store(outh + 16384 + at, v.to(tl.float16, fp_downcast_rounding="rtz"))


@triton.jit
def narrow(x, out, out8, N: tl.constexpr):
    at = tl.program_id(0) * N + tl.arange(0, N)
    v = tl.load(x + at)
    tl.store(out + at, v.to(tl.float32) * 0.125 + 1)
    tl.store(out8 + at, (v + (v >> 1)).to(tl.int8))
    tl.store(out + 8192 + at, v.to(tl.uint8).to(tl.float16).to(tl.float32))


@triton.jit
def transposes(x, out, N: tl.constexpr, M: tl.constexpr):
    r = tl.arange(0, N); c = tl.arange(0, M)
    v = tl.load(x + r[:, None] * M + c[None, :])
    tl.store(out + c[:, None] * N + r[None, :], tl.trans(v))
    w = tl.reshape(v, [N * M // 64, 64])
    tl.store(out + N * M + tl.arange(0, N * M // 64)[:, None] * 64 + tl.arange(0, 64)[None, :], w)
    a, b = tl.split(tl.reshape(v, [N, M // 2, 2]))
    j = tl.join(b, a)
    tl.store(out + 2 * N * M + r[:, None] * M + c[None, :], tl.reshape(j, [N, M]))
    i = tl.interleave(a, b)
    tl.store(out + 3 * N * M + r[:, None] * M + c[None, :], i)
    p = tl.permute(tl.reshape(v, [N, M // 8, 8]), [1, 2, 0])
    tl.store(out + 4 * N * M + c[:, None] * N + r[None, :], tl.reshape(p, [M, N]))


@triton.jit
def inline(x, y, out, N: tl.constexpr):
    at = tl.program_id(0) * N + tl.arange(0, N)
    a = tl.load(x + at); b = tl.load(y + at)
    v = tl.inline_asm_elementwise("lop3.b32 $0, $1, $2, 0x5a5a5a5a, 0x96;", "=r,r,r", [a, b], dtype=tl.int32, is_pure=True, pack=1)
    w = tl.inline_asm_elementwise("""{ .reg .b32 t; prmt.b32 t, $1, $2, 0x5140; add.u32 $0, t, 7; }""", "=r,r,r", [v, b], dtype=tl.int32, is_pure=True, pack=1)
    tl.store(out + at, w)


@triton.jit
def merged(mean, m2, count, other_mean, other_m2, other_count):
    total = count + other_count
    share = tl.where(total == 0, 0., other_count / total)
    delta = other_mean - mean
    return mean + delta * share, m2 + other_m2 + delta * delta * count * share, total


@triton.jit
def welford(x, out, N: tl.constexpr, M: tl.constexpr):
    r = tl.arange(0, N)
    v = tl.load(x + r[:, None] * M + tl.arange(0, M)[None, :])
    mean, m2, count = tl.reduce((v, tl.zeros_like(v), tl.full(v.shape, 1., tl.float32)), 1, merged)
    tl.store(out + r, mean)
    tl.store(out + N + r, m2 / count)


@triton.jit
def cross_entropy(x, target, loss, grad, cols: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    big = -float('inf')
    sums = 0.
    for begin in range(0, cols, BLOCK):
        at = begin + tl.arange(0, BLOCK)
        v = tl.load(x + row * cols + at, mask=at < cols, other=-float('inf')).to(tl.float32)
        new = tl.maximum(big, tl.max(v, 0))
        sums = sums * tl.exp(big - new) + tl.sum(tl.exp(v - new), 0)
        big = new
    label = (tl.load(target + row) & 0x7fffffff) % cols
    tl.store(loss + row, big + tl.log(sums) - tl.load(x + row * cols + label).to(tl.float32))
    for begin in range(0, cols, BLOCK):
        at = begin + tl.arange(0, BLOCK)
        v = tl.load(x + row * cols + at, mask=at < cols, other=0.).to(tl.float32)
        g = tl.exp(v - big) / sums - tl.where(at == label, 1., 0.)
        tl.store(grad + row * cols + at, g.to(grad.dtype.element_ty), mask=at < cols)


@triton.jit(noinline=True)
def halved(v, by):
    return v * 0.5 + by


@triton.jit(noinline=True)
def folded(v, by):
    if v > 0:
        return halved(v * v, by)
    return halved(by, v)


@triton.jit
def calls(x, out, N: tl.constexpr):
    first = tl.program_id(0) * N
    for i in range(N):
        v = tl.load(x + first + i)
        for turn in range(3):
            v = folded(v, 0.25)
        tl.store(out + first + i, v)


@triton.jit
def collatz(x, out, N: tl.constexpr):
    at = tl.program_id(0) * N + tl.arange(0, N)
    v = (tl.load(x + at) & 1023) + 1
    steps = tl.zeros([N], tl.int32)
    while tl.max((v != 1).to(tl.int32), 0) == 1:
        odd = v % 2 == 1
        go = v != 1
        v = tl.where(go, tl.where(odd, 3 * v + 1, v // 2), v)
        steps += go.to(tl.int32)
    tl.store(out + at, steps)


@triton.jit
def pooled(x, out, H: tl.constexpr, W: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    row = at // W
    col = at % W
    best = tl.full([BLOCK], -float('inf'), tl.float32)
    for r in tl.static_range(-1, 2):
        for c in tl.static_range(-1, 2):
            inside = (row + r >= 0) & (row + r < H) & (col + c >= 0) & (col + c < W)
            best = tl.maximum(best, tl.load(x + at + r * W + c, mask=inside, other=-float('inf')))
    tl.store(out + at, best)


@triton.jit
def rotated(x, angles, out, T: tl.constexpr, D: tl.constexpr):
    t = tl.program_id(0)
    half = tl.arange(0, D // 2)
    a = tl.load(angles + t * (D // 2) + half) * 100.
    x1 = tl.load(x + t * D + half).to(tl.float32)
    x2 = tl.load(x + t * D + D // 2 + half).to(tl.float32)
    tl.store(out + t * D + half, (x1 * tl.cos(a) - x2 * tl.sin(a)).to(out.dtype.element_ty))
    tl.store(out + t * D + D // 2 + half, (x2 * tl.cos(a) + x1 * tl.sin(a)).to(out.dtype.element_ty))
