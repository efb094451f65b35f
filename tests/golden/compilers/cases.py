# SPDX-License-Identifier: MIT
"""Which kernels are compiled, with which numbers, for which cards, and how each is launched.

A parameter is in(type, count): random numbers; out(type, count): compared; held(type, count): neither. Of Gluon's kernels it is a
tensor, in2(type, rows, cols, box) or out2(...), behind a tensor map.
"""
import itertools

import triton.language as tl

import kernels as k
import products as p
import roles

CASES = []  # name, kernel, parameters, constants, grid, targets, options
N = 8192


def case(name, kernel, parameters, constants, grid, targets=(80, 90), **options):
    CASES.append((name, kernel, parameters, constants, grid, targets, options))


def in_(type, count):
    return ('in', type, count)


def out(type, count):
    return ('out', type, count)


def tiles(size, block):
    return (size + block - 1) // block


# ---- rows, columns, numbers
for t in ('f32', 'f16', 'bf16', 's32', 's8'):
    case('add_' + t, k.vector_add, [in_(t, N), in_(t, N), out(t, N)], dict(n=8000, BLOCK=1024), (8,))
BLACKWELL = (80, 90, 100, 120)
case('softmax', k.row_softmax, [in_('f32', 16 * 781), out('f32', 16 * 781)], dict(cols=781, BLOCK=1024), (16,), BLACKWELL)
case('softmax_f16', k.row_softmax, [in_('f16', 16 * 1000), out('f16', 16 * 1000)], dict(cols=1000, BLOCK=1024), (16,), num_warps=8)
case('layer_norm', k.layer_norm, [in_('f16', 8 * 1151), in_('f16', 1151), in_('f16', 1151), out('f16', 8 * 1151), out('f32', 8), out('f32', 8)], dict(cols=1151, BLOCK=512), (8,))
case('welford', k.welford, [in_('f32', 16 * 256), out('f32', 32)], dict(N=16, M=256), (1,))
case('cross_entropy', k.cross_entropy, [in_('bf16', 8 * 1500), in_('s32', 8), out('f32', 8), out('bf16', 8 * 1500)], dict(cols=1500, BLOCK=512), (8,))
for t in ('f32', 's32', 'f16'):
    case('reduce_' + t, k.reductions, [in_(t, 64 * 128), out(t, 256), out('s32', 192)], dict(N=64, M=128), (1,), BLACKWELL if t == 'f32' else (80, 90))
case('xors', k.xors, [in_('s32', 1024), out('s32', 1025)], dict(N=1024), (1,), num_warps=8)
case('scans', k.scans, [in_('f32', 32 * 128), in_('f32', 32 * 128), out('f32', 5 * 32 * 128)], dict(N=32, M=128), (1,))
for t in ('f32', 's32'):
    case('sort_' + t, k.sorts, [in_(t, 16 * 128), out(t, 2 * 16 * 128)], dict(N=16, M=128), (1,))
case('top', k.top, [in_('f32', 16 * 128), out('f32', 128)], dict(N=16, M=128), (1,))
case('histogram', k.histograms, [in_('s32', 2048), out('s32', 128)], dict(N=2048, BINS=128), (1,))
case('gather', k.gathers, [in_('f32', 32 * 64), in_('s32', 32 * 64), out('f32', 2 * 32 * 64)], dict(N=32, M=64), (1,), BLACKWELL)
case('atomics', k.atomics, [in_('s32', N), out('s32', 64), out('f32', 16), out('s32', 96)], dict(N=512), (16,))
case('lock', k.lock, [out('s32', 4), out('s32', 128)], dict(N=128), (12,))
case('maths', k.maths, [in_('f32', N), in_('f32', N), out('f32', 24 * N)], dict(N=512), (16,))
case('wide', k.wide, [in_('s32', N), in_('s32', N), out('s64', 5 * N)], dict(N=512), (16,))
case('randoms', k.randoms, [out('f32', 4 * N)], dict(N=512), (16,))
case('casts', k.casts, [in_('f32', N), out('e4m3', N), out('e5m2', N), out('bf16', 2 * N), out('f16', 3 * N)], dict(N=512), (16,), (90, 100, 120))
case('narrow', k.narrow, [in_('s8', N), out('f32', 2 * N), out('s8', N)], dict(N=1024), (8,))
case('transposes', k.transposes, [in_('f16', 64 * 128), out('f16', 5 * 64 * 128)], dict(N=64, M=128), (1,), BLACKWELL)
case('inline', k.inline, [in_('s32', N), in_('s32', N), out('s32', N)], dict(N=512), (16,))
case('calls', k.calls, [in_('f32', 256), out('f32', 256)], dict(N=32), (8,), BLACKWELL)
case('collatz', k.collatz, [in_('s32', 2048), out('s32', 2048)], dict(N=256), (8,))
case('pooled', k.pooled, [in_('f32', 64 * 64), out('f32', 64 * 64)], dict(H=64, W=64, BLOCK=512), (8,))
case('rotated', k.rotated, [in_('f16', 16 * 128), in_('f32', 16 * 64), out('f16', 16 * 128)], dict(T=16, D=128), (16,))


# ---- products by pointers
def product(name, type, of_d, acc, M, N, K, BM, BN, BK, precision='tf32', relu=False, a_by='row', b_by='row', targets=(80, 90), **options):
    sam, sak = (K, 1) if a_by == 'row' else (1, M)
    sbk, sbn = (N, 1) if b_by == 'row' else (1, K)
    case('matmul_' + name, p.matmul, [in_(type, M * K), in_(type, K * N), out(of_d, M * N)],
         dict(M=M, N=N, K=K, sam=sam, sak=sak, sbk=sbk, sbn=sbn, BM=BM, BN=BN, BK=BK, GROUP=2, ACC=acc, PRECISION=precision, RELU=relu),
         (tiles(M, BM) * tiles(N, BN),), targets, **options)


f32, f16, s32, f64 = tl.float32, tl.float16, tl.int32, tl.float64
product('f16', 'f16', 'f16', f32, 256, 256, 256, 64, 64, 32, targets=BLACKWELL)
product('f16_wide', 'f16', 'f16', f32, 256, 512, 256, 128, 256, 64, targets=BLACKWELL, num_warps=8, num_stages=3)
product('f16_ragged', 'f16', 'f32', f32, 200, 300, 100, 64, 64, 32, relu=True, num_stages=4)
product('f16_columns', 'f16', 'f16', f32, 256, 256, 256, 128, 128, 64, a_by='col', b_by='col', targets=BLACKWELL)
product('f16_f16', 'f16', 'f16', f16, 256, 256, 256, 64, 128, 64)
product('bf16', 'bf16', 'bf16', f32, 256, 256, 256, 128, 128, 32, targets=BLACKWELL, num_stages=2)
product('bf16_relu', 'bf16', 'f32', f32, 256, 256, 128, 128, 64, 64, relu=True, b_by='col')
product('small', 'f16', 'f32', f32, 64, 64, 64, 16, 16, 16, num_warps=1)
product('tf32', 'f32', 'f32', f32, 128, 128, 128, 64, 64, 32, targets=BLACKWELL)
product('tf32x3', 'f32', 'f32', f32, 128, 128, 64, 64, 64, 32, precision='tf32x3')
product('ieee', 'f32', 'f32', f32, 128, 128, 64, 32, 32, 32, precision='ieee')
product('e4m3', 'e4m3', 'f16', f32, 128, 128, 256, 64, 64, 64, b_by='col', targets=(89, 90, 100, 120))
product('e5m2', 'e5m2', 'f32', f32, 128, 128, 256, 128, 128, 128, b_by='col', targets=(89, 90, 100, 120), num_warps=8)
product('s8', 's8', 's32', s32, 128, 128, 256, 64, 64, 64, b_by='col', targets=BLACKWELL)
product('s8_rows', 's8', 's32', s32, 128, 128, 128, 128, 64, 32)
product('f64', 'f64', 'f64', f64, 64, 64, 64, 32, 32, 16)
product('two_ctas', 'f16', 'f16', f32, 256, 256, 128, 128, 128, 64, targets=(90, 100), num_ctas=2)
case('batched', p.batched, [in_('f16', 4 * 32 * 64), in_('f16', 4 * 64 * 32), out('f32', 4 * 32 * 32)], dict(B=4, M=32, N=32, K=64), (1,))
case('chained', p.chained, [in_('f16', 64 * 64), in_('f16', 64 * 64), in_('f16', 64 * 64), out('f32', 64 * 64)], dict(M=64, N=64, K=64, P=64), (1,), BLACKWELL)
case('chained_bf16', p.chained, [in_('bf16', 128 * 64), in_('bf16', 64 * 128), in_('bf16', 128 * 64), out('f32', 128 * 64)], dict(M=128, N=128, K=64, P=64), (1,), num_warps=8)
case('convolution', p.convolution, [in_('f16', 16 * 16 * 32), in_('f16', 9 * 32 * 64), out('f32', 256 * 64)], dict(H=16, W=16, C=32, O=64, BP=64), (4,))
case('split_k', p.split_k, [in_('f16', 128 * 256), in_('f16', 256 * 128), out('s32', 128 * 128)], dict(M=128, N=128, K=256, BM=64, BN=64, BK=32, PARTS=4), (2, 2, 4))
case('quantized', p.quantized, [in_('f16', 128 * 256), in_('u8', 128 * 128), in_('f16', 4 * 128), out('f16', 128 * 128)], dict(M=128, N=128, K=256, BM=64, BN=64, BK=64), (2, 2))
case('blocks', p.matmul_blocks, [in_('f16', 200 * 144), in_('f16', 144 * 264), out('f16', 200 * 264)], dict(M=200, N=264, K=144, BM=64, BN=64, BK=32), (4, 5))
for fa, fb in (('e4m3', 'e4m3'), ('e2m1', 'e2m1'), ('e5m2', 'e2m1'), ('e2m1', 'e4m3')):
    da, db = (2 if f == 'e2m1' else 1 for f in (fa, fb))
    ta, tb = ('u8' if f == 'e2m1' else f for f in (fa, fb))
    case('scaled_%s_%s' % (fa, fb), p.scaled, [in_(ta, 128 * 128 // da), in_('u8', 128 * 4), in_(tb, 128 * 128 // db), in_('u8', 128 * 4), out('f32', 128 * 128)],
         dict(M=128, N=128, K=128, FA=fa, FB=fb, DA=da, DB=db), (1,), (90, 100, 120))
for causal, (t, d) in itertools.product((False, True), (('f16', 64), ('bf16', 128))):
    case('attention_%s_%d%s' % (t, d, '_causal' if causal else ''), p.attention, [in_(t, 2 * 256 * d)] * 3 + [out(t, 2 * 256 * d), out('f32', 512)],
         dict(T=256, D=d, BM=64, BN=64, CAUSAL=causal, scale=0.125), (4, 2), BLACKWELL if d == 64 else (80, 90), num_stages=2)

# ---- products by tensor descriptors
for t, special in itertools.product(('f16', 'bf16', 'e4m3'), (False, True)):
    case('tma_%s%s' % (t, '_roles' if special else ''), p.matmul_tma, [in_(t, 512 * 256), in_(t, 512 * 256), out('f16' if t == 'e4m3' else t, 512 * 512)],
         dict(M=512, N=512, K=256, BM=128, BN=128, BK=64 if t != 'e4m3' else 128, SMS=6, SPECIAL=special, FLATTEN=False), (6,),
         (90,) if special else (90, 100, 120), num_warps=4 if special else 8, num_stages=3)
case('tma_flat', p.matmul_tma, [in_('f16', 512 * 256), in_('f16', 512 * 256), out('f16', 512 * 512)], dict(M=512, N=512, K=256, BM=128, BN=128, BK=64, SMS=6, SPECIAL=False, FLATTEN=True), (6,), (90, 100), num_warps=8, num_stages=3)
case('tma_ragged', p.matmul_tma, [in_('f16', 200 * 264), in_('f16', 328 * 264), out('f16', 200 * 328)], dict(M=200, N=328, K=264, BM=64, BN=128, BK=64, SMS=3, SPECIAL=False, FLATTEN=False), (3,), (90, 100, 120), num_stages=4)
case('tma_roles_inner', p.matmul_ws_inner, [in_('f16', 256 * 256), in_('f16', 256 * 256), out('f16', 256 * 256)], dict(M=256, N=256, K=256, BM=128, BN=128, BK=64), (2, 2), (90, 100), num_stages=3)
case('tma_added', p.matmul_added, [in_('f16', 128 * 256), in_('f16', 256 * 128), out('s32', 128 * 128)], dict(M=128, N=128, K=256, BM=64, BN=64, BK=32, PARTS=4), (2, 2, 4), (90, 100))
case('tma_halves', p.matmul_halves, [in_('bf16', 256 * 192), in_('bf16', 256 * 192), in_('bf16', 256), out('bf16', 256 * 256)], dict(M=256, N=256, K=192, BM=128, BN=128, BK=64), (2, 2), (90, 100), num_warps=8)
for special in (False, True):
    case('attention_tma' + ('_roles' if special else ''), p.attention_tma, [in_('f16', 2 * 256 * 64)] * 3 + [out('f16', 2 * 256 * 64)], dict(T=256, D=64, BM=128, BN=64, scale=0.125, SPECIAL=special), (2, 2), (90, 100), num_stages=3)


# ---- Gluon
def in2(type, rows, cols, *box):
    return ('in', type, rows, cols, list(box))


def out2(type, rows, cols, *box):
    return ('out', type, rows, cols, list(box))


for regs, (n, warps) in itertools.product((False, True), ((16, 4), (64, 4), (128, 8))):
    m = 16 * warps
    case('gluon_n%d_w%d%s' % (n, warps, '_regs' if regs else ''), roles.g_product,
         [in2('f16', m, 64, m, 64), in2('f16', 64, 128, 64, 128), in2('f32', m, 128, m, 128), out2('f32', m, 128, m, 128)], dict(A_REGS=regs, N=n), (1,), (90,), num_warps=warps)
for t, of_d in (('f16', 'f16'), ('bf16', 'f32'), ('e4m3', 'f32')):
    case('gluon_' + t, roles.g_blocked, [in2(t, 200, 304, 64, 64), in2(t, 264, 304, 128, 64), out2(of_d, 200, 264, 64, 128)], dict(N=128, STAGES=3), (4, 3), (90,), num_warps=4)
case('gluon_roles', roles.g_roles, [in2('f32', 100, 520, 32, 64), in2('f32', 100, 520, 32, 64), out2('f32', 100, 520, 32, 64)], dict(cols=520, X=32, Y=64, LOADS=2, STORES=2), (4,), (90, 100), num_warps=4, maxnreg=128)
