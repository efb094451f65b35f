# SPDX-License-Identifier: MIT
"""Products and roles in Gluon, by tensor maps that the host makes. compile.py compiles it."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import fence_async_shared, mbarrier, tma, warpgroup_mma, warpgroup_mma_wait


@gluon.jit
def g_product(a_desc, b_desc, c_desc, d_desc, A_REGS: gl.constexpr, N: gl.constexpr, num_warps: gl.constexpr):
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    a_s = gl.allocate_shared_memory(a_desc.dtype, a_desc.block_type.shape, a_desc.layout)
    b_s = gl.allocate_shared_memory(b_desc.dtype, b_desc.block_type.shape, b_desc.layout)
    c_s = gl.allocate_shared_memory(c_desc.dtype, c_desc.block_type.shape, c_desc.layout)
    mbarrier.expect(bar, a_desc.block_type.nbytes + b_desc.block_type.nbytes + c_desc.block_type.nbytes)
    tma.async_copy_global_to_shared(a_desc, [0, 0], bar, a_s)
    tma.async_copy_global_to_shared(b_desc, [0, 0], bar, b_s)
    tma.async_copy_global_to_shared(c_desc, [0, 0], bar, c_s)
    mbarrier.wait(bar, phase=0)
    mbarrier.invalidate(bar)
    layout: gl.constexpr = gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[num_warps, 1], instr_shape=[16, N, 256 // a_desc.dtype.primitive_bitwidth])
    regs: gl.constexpr = gl.DotOperandLayout(operand_index=0, parent=layout, k_width=32 // a_desc.dtype.primitive_bitwidth)
    if A_REGS:
        a = a_s.load(regs)
    else:
        a = a_s
    c = c_s.load(layout)
    d = warpgroup_mma(a, b_s, c, is_async=True)
    d = warpgroup_mma_wait(num_outstanding=0, deps=(d, ))
    d_s = gl.allocate_shared_memory(d_desc.dtype, d_desc.block_type.shape, d_desc.layout)
    d_s.store(d)
    fence_async_shared()
    tma.async_copy_shared_to_global(d_desc, [0, 0], d_s)
    tma.store_wait(pendings=0)


@gluon.jit
def g_blocked(a_desc, b_desc, c_desc, N: gl.constexpr, STAGES: gl.constexpr, num_warps: gl.constexpr):
    BM: gl.constexpr = c_desc.block_type.shape[0]
    BN: gl.constexpr = c_desc.block_type.shape[1]
    BK: gl.constexpr = a_desc.block_type.shape[1]
    K = a_desc.shape[1]
    a_s = gl.allocate_shared_memory(a_desc.dtype, [STAGES] + a_desc.block_type.shape, a_desc.layout)
    b_s = gl.allocate_shared_memory(b_desc.dtype, [STAGES] + b_desc.block_type.shape, b_desc.layout)
    bars = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    for i in gl.static_range(STAGES):
        mbarrier.init(bars.index(i), count=1)
    m = gl.program_id(0) * BM
    n = gl.program_id(1) * BN
    layout: gl.constexpr = gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[num_warps, 1], instr_shape=[16, N, 256 // a_desc.dtype.primitive_bitwidth])
    acc = gl.zeros((BM, BN), dtype=gl.float32, layout=layout)
    for i in gl.static_range(STAGES - 1):
        mbarrier.expect(bars.index(i), a_desc.block_type.nbytes + b_desc.block_type.nbytes)
        tma.async_copy_global_to_shared(a_desc, [m, i * BK], bars.index(i), a_s.index(i))
        tma.async_copy_global_to_shared(b_desc, [n, i * BK], bars.index(i), b_s.index(i))
    steps = gl.cdiv(K, BK)
    for k in range(steps):
        at = k % STAGES
        phase = k // STAGES & 1
        mbarrier.wait(bars.index(at), phase)
        acc = warpgroup_mma(a_s.index(at), b_s.index(at).permute((1, 0)), acc, is_async=True)
        acc = warpgroup_mma_wait(num_outstanding=0, deps=(acc, ))
        later = k + STAGES - 1
        free = later % STAGES
        more = later < steps
        mbarrier.expect(bars.index(free), a_desc.block_type.nbytes + b_desc.block_type.nbytes, pred=more)
        tma.async_copy_global_to_shared(a_desc, [m, later * BK], bars.index(free), a_s.index(free), pred=more)
        tma.async_copy_global_to_shared(b_desc, [n, later * BK], bars.index(free), b_s.index(free), pred=more)
    for i in gl.static_range(STAGES):
        mbarrier.invalidate(bars.index(i))
    c_s = gl.allocate_shared_memory(c_desc.dtype, c_desc.block_type.shape, c_desc.layout)
    c_s.store(acc.to(c_desc.dtype))
    fence_async_shared()
    tma.async_copy_shared_to_global(c_desc, [m, n], c_s)
    tma.store_wait(pendings=0)


@gluon.jit
def g_load(descs, bars, bufs, x, cols, Y: gl.constexpr):
    a_desc, b_desc, c_desc = descs
    empty, ready, c_empty, c_ready = bars
    a_b, b_b, c_b = bufs
    count: gl.constexpr = a_b.type.shape[0]
    for i in range(gl.cdiv(cols, Y)):
        at = i % count
        mbarrier.wait(empty.index(at), (i // count & 1) ^ 1)
        mbarrier.expect(ready.index(at), a_desc.block_type.nbytes + b_desc.block_type.nbytes)
        tma.async_copy_global_to_shared(a_desc, [x, i * Y], ready.index(at), a_b.index(at))
        tma.async_copy_global_to_shared(b_desc, [x, i * Y], ready.index(at), b_b.index(at))


@gluon.jit
def g_store(descs, bars, bufs, x, cols, Y: gl.constexpr):
    a_desc, b_desc, c_desc = descs
    empty, ready, c_empty, c_ready = bars
    a_b, b_b, c_b = bufs
    count: gl.constexpr = c_b.type.shape[0]
    for i in range(gl.cdiv(cols, Y)):
        at = i % count
        mbarrier.wait(c_ready.index(at), i // count & 1)
        tma.async_copy_shared_to_global(c_desc, [x, i * Y], c_b.index(at))
        tma.store_wait(count - 1)
        mbarrier.arrive(c_empty.index((i + 1) % count), count=1, pred=i >= count - 1)
    tma.store_wait(0)


@gluon.jit
def g_compute(bars, bufs, cols, Y: gl.constexpr, layout: gl.constexpr):
    empty, ready, c_empty, c_ready = bars
    a_b, b_b, c_b = bufs
    count: gl.constexpr = a_b.type.shape[0]
    outs: gl.constexpr = c_b.type.shape[0]
    for i in range(gl.cdiv(cols, Y)):
        at = i % count
        mbarrier.wait(ready.index(at), i // count & 1)
        a = a_b.index(at).load(layout)
        b = b_b.index(at).load(layout)
        fence_async_shared()
        mbarrier.arrive(empty.index(at), count=1)
        o = i % outs
        mbarrier.wait(c_empty.index(o), (i // outs & 1) ^ 1)
        c_b.index(o).store(a * b + a)
        fence_async_shared()
        mbarrier.arrive(c_ready.index(o), count=1)


@gluon.jit
def g_roles(a_desc, b_desc, c_desc, cols: gl.constexpr, X: gl.constexpr, Y: gl.constexpr, LOADS: gl.constexpr, STORES: gl.constexpr, num_warps: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 1], [1, 32], [1, num_warps], [1, 0])
    a_b = gl.allocate_shared_memory(a_desc.dtype, [LOADS] + a_desc.block_type.shape, a_desc.layout)
    b_b = gl.allocate_shared_memory(b_desc.dtype, [LOADS] + b_desc.block_type.shape, b_desc.layout)
    c_b = gl.allocate_shared_memory(c_desc.dtype, [STORES] + c_desc.block_type.shape, c_desc.layout)
    empty = gl.allocate_shared_memory(gl.int64, [LOADS, 1], mbarrier.MBarrierLayout())
    ready = gl.allocate_shared_memory(gl.int64, [LOADS, 1], mbarrier.MBarrierLayout())
    c_empty = gl.allocate_shared_memory(gl.int64, [STORES, 1], mbarrier.MBarrierLayout())
    c_ready = gl.allocate_shared_memory(gl.int64, [STORES, 1], mbarrier.MBarrierLayout())
    for i in gl.static_range(LOADS):
        mbarrier.init(empty.index(i), count=1)
        mbarrier.init(ready.index(i), count=1)
    for i in gl.static_range(STORES):
        mbarrier.init(c_empty.index(i), count=1)
        mbarrier.init(c_ready.index(i), count=1)
    descs = (a_desc, b_desc, c_desc)
    bars = (empty, ready, c_empty, c_ready)
    bufs = (a_b, b_b, c_b)
    x = gl.program_id(0) * X
    gl.warp_specialize([(g_compute, (bars, bufs, cols, Y, layout)), (g_load, (descs, bars, bufs, x, cols, Y)), (g_store, (descs, bars, bufs, x, cols, Y))], [1, 1], [24, 24])
