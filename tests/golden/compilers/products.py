# SPDX-License-Identifier: MIT
"""Products in Triton: by pointers, block pointers and tensor descriptors, with roles for warps or without. compile.py compiles it."""
import triton
import triton.language as tl


@triton.jit
def matmul(a, b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, sam: tl.constexpr, sak: tl.constexpr, sbk: tl.constexpr, sbn: tl.constexpr,
           BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, ACC: tl.constexpr, PRECISION: tl.constexpr, RELU: tl.constexpr):
    pid = tl.program_id(0)
    rows = tl.cdiv(M, BM); cols = tl.cdiv(N, BN)
    width = GROUP * cols
    group = pid // width
    first = group * GROUP
    size = min(rows - first, GROUP)
    pm = first + (pid % width) % size
    pn = (pid % width) // size
    om = (pm * BM + tl.arange(0, BM)) % M
    on = (pn * BN + tl.arange(0, BN)) % N
    ok = tl.arange(0, BK)
    pa = a + om[:, None] * sam + ok[None, :] * sak
    pb = b + ok[:, None] * sbk + on[None, :] * sbn
    acc = tl.zeros((BM, BN), dtype=ACC)
    for k in range(0, tl.cdiv(K, BK)):
        va = tl.load(pa, mask=ok[None, :] < K - k * BK, other=0.0)
        vb = tl.load(pb, mask=ok[:, None] < K - k * BK, other=0.0)
        acc = tl.dot(va, vb, acc, input_precision=PRECISION, out_dtype=ACC)
        pa += BK * sak
        pb += BK * sbk
    if RELU:
        acc = tl.where(acc >= 0, acc, 0.01 * acc)
    cm = pm * BM + tl.arange(0, BM)
    cn = pn * BN + tl.arange(0, BN)
    tl.store(c + cm[:, None] * N + cn[None, :], acc.to(c.dtype.element_ty), mask=(cm[:, None] < M) & (cn[None, :] < N))


@triton.jit
def matmul_tma(a, b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, SMS: tl.constexpr, SPECIAL: tl.constexpr, FLATTEN: tl.constexpr):
    da = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    db = tl.make_tensor_descriptor(b, [N, K], [K, 1], [BN, BK])
    dc = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    cols = tl.cdiv(N, BN)
    tiles = tl.cdiv(M, BM) * cols
    for tile in tl.range(tl.program_id(0), tiles, SMS, warp_specialize=SPECIAL, flatten=FLATTEN):
        m = tile // cols * BM
        n = tile % cols * BN
        acc = tl.zeros((BM, BN), tl.float32)
        for k in range(0, tl.cdiv(K, BK)):
            acc = tl.dot(da.load([m, k * BK]), db.load([n, k * BK]).T, acc)
        dc.store([m, n], acc.to(c.dtype.element_ty))


@triton.jit
def matmul_ws_inner(a, b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    da = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    db = tl.make_tensor_descriptor(b, [N, K], [K, 1], [BN, BK])
    dc = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    m = tl.program_id(0) * BM
    n = tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for k in tl.range(0, tl.cdiv(K, BK), warp_specialize=True):
        acc = tl.dot(da.load([m, k * BK]), db.load([n, k * BK]).T, acc)
    dc.store([m, n], acc.to(c.dtype.element_ty))


@triton.jit
def attention(q, k, v, out, lse, T: tl.constexpr, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, CAUSAL: tl.constexpr, scale: tl.constexpr):
    head = tl.program_id(1)
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    base = head * T * D
    vq = tl.load(q + base + m[:, None] * D + d[None, :])
    big = tl.full([BM], -float('inf'), tl.float32)
    sums = tl.zeros([BM], tl.float32)
    acc = tl.zeros([BM, D], tl.float32)
    end = (tl.program_id(0) + 1) * BM if CAUSAL else T
    for begin in range(0, end, BN):
        n = begin + tl.arange(0, BN)
        vk = tl.load(k + base + n[None, :] * D + d[:, None])
        s = tl.dot(vq, vk) * (scale * 1.44269504)
        if CAUSAL:
            s = tl.where(m[:, None] >= n[None, :], s, -1.0e6)
        new = tl.maximum(big, tl.max(s, 1))
        p = tl.math.exp2(s - new[:, None])
        alpha = tl.math.exp2(big - new)
        sums = sums * alpha + tl.sum(p, 1)
        acc = acc * alpha[:, None]
        vv = tl.load(v + base + n[:, None] * D + d[None, :])
        acc = tl.dot(p.to(vv.dtype), vv, acc)
        big = new
    tl.store(out + base + m[:, None] * D + d[None, :], (acc / sums[:, None]).to(out.dtype.element_ty))
    tl.store(lse + head * T + m, big + tl.math.log2(sums))


@triton.jit
def attention_tma(q, k, v, out, T: tl.constexpr, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, scale: tl.constexpr, SPECIAL: tl.constexpr):
    head = tl.program_id(1)
    base = head * T
    H = T * 2
    dq = tl.make_tensor_descriptor(q, [H, D], [D, 1], [BM, D])
    dk = tl.make_tensor_descriptor(k, [H, D], [D, 1], [BN, D])
    dv = tl.make_tensor_descriptor(v, [H, D], [D, 1], [BN, D])
    do = tl.make_tensor_descriptor(out, [H, D], [D, 1], [BM, D])
    row = base + tl.program_id(0) * BM
    vq = dq.load([row, 0])
    big = tl.full([BM], -float('inf'), tl.float32)
    sums = tl.zeros([BM], tl.float32)
    acc = tl.zeros([BM, D], tl.float32)
    for begin in tl.range(0, T, BN, warp_specialize=SPECIAL):
        s = tl.dot(vq, dk.load([base + begin, 0]).T) * (scale * 1.44269504)
        new = tl.maximum(big, tl.max(s, 1))
        p = tl.math.exp2(s - new[:, None])
        alpha = tl.math.exp2(big - new)
        sums = sums * alpha + tl.sum(p, 1)
        acc = tl.dot(p.to(v.dtype.element_ty), dv.load([base + begin, 0]), acc * alpha[:, None])
        big = new
    do.store([row, 0], (acc / sums[:, None]).to(out.dtype.element_ty))


@triton.jit
def batched(a, b, c, B: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    n = tl.arange(0, N); m = tl.arange(0, M); k = tl.arange(0, K); z = tl.arange(0, B)
    va = tl.load(a + z[:, None, None] * M * K + m[None, :, None] * K + k[None, None, :])
    vb = tl.load(b + z[:, None, None] * K * N + k[None, :, None] * N + n[None, None, :])
    tl.store(c + z[:, None, None] * M * N + m[None, :, None] * N + n[None, None, :], tl.dot(va, vb).to(c.dtype.element_ty))


@triton.jit
def chained(a, b, d, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, P: tl.constexpr):
    m = tl.arange(0, M); n = tl.arange(0, N); k = tl.arange(0, K); p = tl.arange(0, P)
    va = tl.load(a + m[:, None] * K + k[None, :])
    vb = tl.load(b + k[:, None] * N + n[None, :])
    vd = tl.load(d + n[:, None] * P + p[None, :])
    s = tl.dot(va, vb)
    s = s - tl.max(s, 1)[:, None] * 0.5
    tl.store(c + m[:, None] * P + p[None, :], tl.dot(s.to(a.dtype.element_ty), vd))


@triton.jit
def scaled(a, sa, b, sb, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, FA: tl.constexpr, FB: tl.constexpr, DA: tl.constexpr, DB: tl.constexpr):
    m = tl.arange(0, M); n = tl.arange(0, N)
    ka = tl.arange(0, K // DA); kb = tl.arange(0, K // DB); ks = tl.arange(0, K // 32)
    va = tl.load(a + m[:, None] * (K // DA) + ka[None, :])
    vb = tl.load(b + kb[:, None] + n[None, :] * (K // DB))
    vsa = tl.load(sa + m[:, None] * (K // 32) + ks[None, :])
    vsb = tl.load(sb + n[:, None] * (K // 32) + ks[None, :])
    vsa = (vsa & 7) + 124
    vsb = (vsb & 7) + 124
    tl.store(c + m[:, None] * N + n[None, :], tl.dot_scaled(va, vsa.to(tl.uint8), FA, vb, vsb.to(tl.uint8), FB))


@triton.jit
def convolution(x, w, out, H: tl.constexpr, W: tl.constexpr, C: tl.constexpr, O: tl.constexpr, BP: tl.constexpr):
    p = tl.program_id(0) * BP + tl.arange(0, BP)
    row = p // W; col = p % W
    o = tl.arange(0, O); c = tl.arange(0, C)
    acc = tl.zeros([BP, O], tl.float32)
    for r in tl.static_range(3):
        for s in range(3):
            y = row + r - 1; z = col + s - 1
            inside = (y >= 0) & (y < H) & (z >= 0) & (z < W)
            v = tl.load(x + (y * W + z)[:, None] * C + c[None, :], mask=inside[:, None], other=0.)
            f = tl.load(w + ((r * 3 + s) * C + c)[:, None] * O + o[None, :])
            acc += tl.dot(v, f)
    tl.store(out + p[:, None] * O + o[None, :], acc)


@triton.jit
def split_k(a, b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PARTS: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM); n = tl.program_id(1) * BN + tl.arange(0, BN); k = tl.program_id(2) * BK + tl.arange(0, BK)
    acc = tl.zeros([BM, BN], tl.float32)
    for _ in range(0, K // (BK * PARTS)):
        acc += tl.dot(tl.load(a + m[:, None] * K + k[None, :]), tl.load(b + k[:, None] * N + n[None, :]))
        k += BK * PARTS
    tl.atomic_add(c + m[:, None] * N + n[None, :], (acc * 4).to(tl.int32), sem="relaxed")


@triton.jit
def quantized(a, b, s, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM); n = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros([BM, BN], tl.float32)
    for begin in range(0, K, BK):
        k = begin + tl.arange(0, BK)
        va = tl.load(a + m[:, None] * K + k[None, :])
        packed = tl.load(b + (k[:, None] // 2) * N + n[None, :])
        four = (packed >> ((k[:, None] & 1) * 4)) & 15
        vb = (four.to(tl.float16) - 8) * tl.load(s + (begin // 64) * N + n)[None, :]
        acc = tl.dot(va, vb, acc)
    tl.store(c + m[:, None] * N + n[None, :], acc.to(tl.float16))


@triton.jit
def matmul_blocks(a, b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pa = tl.make_block_ptr(a, (M, K), (K, 1), (tl.program_id(0) * BM, 0), (BM, BK), (1, 0))
    pb = tl.make_block_ptr(b, (K, N), (N, 1), (0, tl.program_id(1) * BN), (BK, BN), (1, 0))
    pc = tl.make_block_ptr(c, (M, N), (N, 1), (tl.program_id(0) * BM, tl.program_id(1) * BN), (BM, BN), (1, 0))
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(tl.load(pa, boundary_check=(0, 1)), tl.load(pb, boundary_check=(0, 1)), acc)
        pa = tl.advance(pa, (0, BK))
        pb = tl.advance(pb, (BK, 0))
    tl.store(pc, acc.to(c.dtype.element_ty), boundary_check=(0, 1))


@triton.jit
def matmul_added(a, b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PARTS: tl.constexpr):
    da = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    db = tl.make_tensor_descriptor(b, [K, N], [N, 1], [BK, BN])
    dc = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    m = tl.program_id(0) * BM
    n = tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(tl.program_id(2) * BK, K, BK * PARTS):
        acc = tl.dot(da.load([m, k]), db.load([k, n]), acc)
    dc.atomic_add([m, n], (acc * 16).to(tl.int32))


@triton.jit
def matmul_halves(a, b, bias, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    da = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    db = tl.make_tensor_descriptor(b, [N, K], [K, 1], [BN, BK])
    dc = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN // 2])
    m = tl.program_id(0) * BM
    n = tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(da.load([m, k]), db.load([n, k]).T, acc)
    acc = acc + tl.load(bias + n + tl.arange(0, BN))[None, :].to(tl.float32)
    acc = acc * tl.sigmoid(1.702 * acc)
    low, high = tl.split(tl.permute(tl.reshape(acc, (BM, 2, BN // 2)), (0, 2, 1)))
    dc.store([m, n], low.to(c.dtype.element_ty))
    dc.store([m, n + BN // 2], high.to(c.dtype.element_ty))
