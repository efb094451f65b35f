#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes random CUDA C++ of what lanes do together: expressions.py's kernels, and in them products of tensor cores,
matrices moved, copies in flight, reductions, atomics, pairs of halves, small formats and 128 bits.

    together.py SEED KERNELS > program.cu

What a block does together stands where all its threads come by, what a warp does where all its lanes do: in branches
and loops, too, whose conditions they share. The program prints as expressions.py's does.
"""

import expressions
from expressions import Kernel

P1 = 'h2exp2 h2log2 h2rcp h2rsqrt h2sqrt h2sin h2cos h2floor h2ceil h2trunc h2rint h2tanh h2exp __hneg2 __habs2'.split()
P2 = '''__hadd2 __hsub2 __hmul2 __hadd2_rn __hmul2_rn __hsub2_rn __hmin2 __hmax2 __hmin2_nan __hmax2_nan __hadd2_sat
__hsub2_sat __hmul2_sat'''.split()
P3 = '__hfma2 __hfma2_sat __hfma2_relu __hcmadd'.split()
C2 = '__hgt2 __hle2 __heq2 __hne2 __hgtu2 __hltu2'.split()
M2 = '__hgt2_mask __hle2_mask __heq2_mask __hneu2_mask'.split()
U3 = ['__vimax3_s32(%s, %s, %s)', 'vibmax(%s, %s, %s)', '__dp2a_hi(%s, %s, %s)', 'sads(%s, %s, %s)', 'relu3(%s, %s, %s)', '__funnelshift_lc(%s, %s, %s)',
      '__umulhi(%s, %s) + %s', '__mulhi((int)%s, (int)%s) - %s', '__vaddus4(%s, %s) ^ %s', 'pack4(%s, %s, %s)']

BITS = {'f16': 16, 'bf16': 16, 'tf32': 32, 'e4m3': 8, 'e5m2': 8, 's8': 8, 'u8': 8, 's4': 4, 'u4': 4, 'b1': 1, 'f64': 64, 'f32': 32, 's32': 32}
KIND = {'f32': ('float', 'f', 'f'), 'f16': ('unsigned', 'r', 'u'), 's32': ('unsigned', 'r', 'u'), 'f64': ('double', 'd', 'd')}
MMA = [(16, 8, k, c, a, a, '') for k in (8, 16) for c, a in (('f16', 'f16'), ('f32', 'f16'), ('f32', 'bf16'))]  # M N K, D, A, B, behind
MMA += [(16, 8, k, 'f32', 'tf32', 'tf32', '') for k in (4, 8)] + [(m, 8, k, 'f64', 'f64', 'f64', '') for m, k in ((8, 4), (16, 4), (16, 8), (16, 16))]
MMA += [(m, 8, k, 's32', a, b, s) for m, k in ((8, 16), (16, 16), (16, 32)) for a, b, s in (('s8', 'u8', ''), ('u8', 's8', ''), ('s8', 's8', '.satfinite'))]
MMA += [(m, 8, k, 's32', a, b, s) for m, k in ((8, 32), (16, 32), (16, 64)) for a, b, s in (('s4', 'u4', ''), ('u4', 's4', '.satfinite'))]
MMA += [(m, 8, k, 's32', 'b1', 'b1', o) for m, k in ((8, 128), (16, 128), (16, 256)) for o in ('.xor.popc', '.and.popc')]
MMA += [(16, 8, k, c, a, b, '') for k in (16, 32) for c in ('f32', 'f16') for a in ('e4m3', 'e5m2') for b in ('e4m3', 'e5m2')]
WGMMA = [('f32', 'f16', 'f16', 16), ('f16', 'f16', 'f16', 16), ('f32', 'bf16', 'bf16', 16), ('f32', 'tf32', 'tf32', 8)]
WGMMA += [(d, a, b, 32) for d in ('f32', 'f16') for a in ('e4m3', 'e5m2') for b in ('e4m3', 'e5m2')]
WGMMA += [('s32', a, b, 32) for a in ('s8', 'u8') for b in ('s8', 'u8')]
SHARED = '(unsigned)__cvta_generic_to_shared(%s)'
MEMORY = ' : "memory");\n'


def registers(first, count):
    return '{' + ', '.join('%%%d' % (first + n) for n in range(count)) + '}'


class Together(Kernel):
    level = 2  # 2: the block is here, 1: the warp, 0: a lane

    def pick(self, what):
        return '%s[%d]' % (what, self.r.randrange(2)) if what in 'qi' else super().pick(what)

    def fill(self, text, kinds):
        """Every letter's register in place of the %s of `text`."""
        return text % tuple(self.f(1) if c == 'F' else self.d(1) if c == 'D' else self.pick(c) for c in kinds)

    def of(self, pad, choices):
        return pad + self.fill(*self.r.choice(choices)) + '\n'

    def fresh(self):
        self.count += 1
        return 'v%d' % self.count

    def word(self):
        """32 bits for a tensor core; mostly numbers of an ordinary size, whatever the type."""
        return self.r.choice(['sane(%s)'] * 6 + ['%s']) % self.pick('u')

    def f32(self):
        return self.r.choice(['tame(%s)' % self.pick('f')] * 3 + [self.pick('f'), '1.5f', '(float)(%s & 255)' % self.pick('u')])

    # ---- a lane's own
    def halves(self, pad):
        r, what = self.r, self.r.choice('pq')
        pick = lambda: self.pick(what)
        return '%s%s = %s;\n' % (pad, pick(), r.choice([
            lambda: '%s(%s)' % (r.choice(P1), pick()),
            lambda: '%s(%s, %s, %s)' % (r.choice(P3), pick(), pick(), pick()),
            lambda: r.choice(['%s * %s - %s', '%s * %s + %s', '%s - %s * %s', '(%s + %s) * %s']) % (pick(), pick(), pick()),
            lambda: self.pair(C2, what),
            lambda: self.pair(P2 + (['__h2div'] if what == 'p' else []), what)])())

    def formats(self, pad):
        e, s = self.r.choice(['__NV_E4M3', '__NV_E5M2']), self.r.choice(['__NV_SATFINITE', '__NV_NOSAT'])
        return self.of(pad, [
            ('%%s = %%s << 8 ^ __nv_cvt_float_to_fp8(%%s, %s, %s);' % (s, e), 'uuF'),
            ('%%s ^= __nv_cvt_float2_to_fp8x2(make_float2(%%s, %%s), %s, %s);' % (s, e), 'uFF'),
            ('%%s = __half2(__nv_cvt_fp8x2_to_halfraw2((__nv_fp8x2_storage_t)%%s, %s));' % e, 'pu'),
            ('%%s ^= __nv_cvt_halfraw2_to_fp8x2((__half2_raw)%%s, %s, %s);' % (s, e), 'up'),
            ('%%s ^= __nv_cvt_double_to_fp8(%%s, %s, %s);' % (s, e), 'ud'),
            ('%%s ^= __nv_cvt_bfloat16raw2_to_fp8x2((__nv_bfloat162_raw)%%s, %s, %s);' % (s, e), 'uq'),
            ('%s = __float22bfloat162_rn(make_float2(%s, %s));', 'qFF'),
            ('%s = __low2float(%s) + __high2float(%s);', 'fqp'),
            ('%s = __halves2bfloat162(%s, %s);', 'qbb'),
            ('%%s = %s(%%s);' % self.r.choice('hexp hlog2 hrcp hsqrt htanh hsin hfloor htanh_approx'.split()), 'bb')])

    def wide(self, pad):
        return self.of(pad, [
            ('%s = (i128)((u128)%s * %s + %s);', 'illl'), ('%s = %s * %s - %s;', 'iiii'), ('%s = %s / ((%s >> 70) | 1);', 'iii'),
            ('%s = (i128)((u128)%s %% ((u128)%s | 1));', 'iil'), ('%s = (Word)(%s >> (%s & 63));', 'liu'), ('%s = %s << (%s & 127);', 'iiu'),
            ('%s = (double)%s;', 'di'), ('%s = %s < %s ? 1.0f : %s;', 'fiif')])

    def functions(self, pad):
        return self.of(pad, [
            ('{ int e; %s = remquof(%s, %s, &e); %s ^= (unsigned)e & 7; }', 'fffu'), ('%s ^= (unsigned)ilogbf(%s);', 'uf'),
            ('%s = scalbnf(%s, (int)(%s & 31) - 16);', 'ffu'), ('%s = ldexp(%s, (int)(%s & 63) - 32);', 'ddu'),
            ('{ double s, c; sincospi(%s, &s, &c); %s = s; %s = c; }', 'ddd'), ('%s = powif(%s, (int)(%s & 15) - 8);', 'ffu'),
            ('%s = tgamma(%s); %s = cyl_bessel_i1(%s);', 'dddd'), ('%s = norm4df(%s, %s, %s, 1.0f);', 'ffff'), ('%s = cross(%s, %s);', 'fff'),
            ('%%s = (unsigned)%s;' % self.r.choice(U3), 'uuuu')])

    def numbers(self, pad):
        """What ptxas knows at compile time."""
        c = self.r.choice(['3.0f', '7.25f', '-0.1f', '127.0f', '1e-30f', '0.7f', '448.0f', '5.5f'])
        p = self.r.choice(['0.3f', '5.0f', '1e-39f', '11.0f'])
        return self.of(pad, [
            ('%%s = %%s / %s;' % c, 'fF'), ('%%s = __fdividef(%%s, %s);' % c, 'fF'), ('%s = %s / 0.1;', 'dD'), ('%%s = __powf(%s, %%s);' % p, 'ff'),
            ('%%s = __powf(%s, 1.7f) * %%s;' % p, 'ff'), ('%%s = __sinf(%s) * %%s - %%s;' % c, 'fff'), ('%%s = rsqrtf(%s) - %%s;' % p, 'ff'),
            ('%%s = __expf(%s) * %%s + %%s;' % c, 'fff'), ('%%s = __logf(%s) + %%s;' % p, 'ff'), ('%%s = tanhf(%s) + %%s;' % c, 'ff'),
            ('%%s = __fdividef(%%s, __cosf(%s));' % c, 'fF'), ('%%s = erfcinvf(%s) * %%s;' % p, 'ff')])

    def loop(self, pad):
        n = self.r.choice('fd')
        a, b, c = self.pick(n), self.pick(n), self.pick(n)
        turns = self.r.choice(['%d' % self.r.randrange(2, 7), '(int)(%s & 7)' % self.pick('u')])
        self.count += 1
        i = 'k%d' % self.count
        return '%sfor (int %s = 0, n%s = %s; %s < n%s; ++%s) { %s = %s * %s %s %s; %s = %s - %s; }\n' % (
            pad, i, i, turns, i, i, i, a, a, b, self.r.choice('+-'), c, b, b, self.r.choice([a, c]))

    # ---- a warp's
    def multiply(self, pad):
        m, n, k, dt, at, bt, behind = self.r.choice(MMA)
        double = 2 if dt == 'f64' else 1
        counts = [max(1, e * BITS[t] // 1024 // double) for e, t in ((m * n, dt), (m * k, at), (k * n, bt), (m * n, dt))]
        kind, letter, to = KIND[dt]
        v, first, lists, ins = self.fresh(), 0, [], []
        for part, count in enumerate(counts):
            lists.append(registers(first, count))
            first += count
            for _ in range(count if part else 0):
                real = dt == 'f64' or (part == 3 and dt == 'f32')
                ins.append('"%s"(%s)' % (letter if real else 'r', self.pick('d') if dt == 'f64' else self.f32() if real else self.word()))
        name = 'mma.sync.aligned.m%dn%dk%d.row.col%s.%s.%s.%s.%s%s' % (m, n, k, behind * (behind == '.satfinite'), dt, at, bt, dt, behind * ('popc' in behind))
        outs = ', '.join('"=%s"(%s[%d])' % (letter, v, x) for x in range(counts[0]))
        text = '%s{ %s %s[%d]; asm volatile("%s %s;" : %s : %s);' % (pad, kind, v, counts[0], name, ', '.join(lists), outs, ', '.join(ins))
        return text + ''.join(' %s = %s[%d];' % (self.pick(to), v, x) for x in range(counts[0])) + ' }\n'

    def moved(self, pad):
        """A warp's 2 KB: filled, then read or written as 8 x 8 matrices."""
        r, v, n = self.r, self.fresh(), self.r.choice([1, 2, 4])
        form = 'x%d%s.shared.b16' % (n, r.choice(['', '', '.trans']))
        text = '%s{ unsigned* mine = (unsigned*)(room + warp * 2048); __syncwarp(); for (int k = 0; k < 16; ++k) mine[k * 32 + lane] = %s + k * %s; __syncwarp();\n' % (
            pad, self.pick('u'), self.pick('u'))
        if r.random() < .6:
            row = r.choice(['(lane * %d + %d) & 127' % (r.choice([1, 3, 5, 8, 9]), r.randrange(128)), 'lane ^ (lane >> 3)', '%s & 127' % self.pick('u')])
            text += '%s  unsigned %s[%d]; asm volatile("ldmatrix.sync.aligned.m8n8.%s %s, [%%%d];" : %s : "r"(%s + (%s) * 16)%s' % (
                pad, v, n, form, registers(0, n), n, ', '.join('"=r"(%s[%d])' % (v, x) for x in range(n)), SHARED % 'mine', row, MEMORY)
            return text + pad + ' ' + ''.join(' %s = %s[%d];' % (self.pick('u'), v, x) for x in range(n)) + ' __syncwarp(); }\n'
        text += '%s  asm volatile("stmatrix.sync.aligned.m8n8.%s [%%0], %s;" : : "r"(%s + lane * 16 + %d), %s%s' % (
            pad, form, registers(1, n), SHARED % 'mine', 16 * r.randrange(8), ', '.join('"r"(%s)' % self.pick('u') for _ in range(n)), MEMORY)
        return text + '%s  __syncwarp(); %s = mine[(lane * %d + %d) & 511]; __syncwarp(); }\n' % (pad, self.pick('u'), r.choice([1, 3, 7]), r.randrange(512))

    def flying(self, pad):
        """Copies that a lane has under way, as many groups, not all of them waited for at once."""
        r, n = self.r, self.r.randrange(1, 4)
        text = '%s{ char* mine = (char*)room + warp * 2048 + lane * 64; __syncwarp();\n' % pad
        for k in range(n):
            size = r.choice([4, 8, 16])
            how = r.choice(['cg', 'ca']) if size == 16 else 'ca'
            text += '%s  asm volatile("cp.async.%s.shared.global [%%0], [%%1], %d%s; cp.async.commit_group;" : : "r"(%s + %d), "l"((const char*)base + (%s & 1023) * 16)%s' % (
                pad, how, size, r.choice(['', ', %d' % r.randrange(size + 1)]), SHARED % 'mine', k * 16, self.pick('u'), MEMORY)
        left = r.randrange(n)
        text += '%s  asm volatile("cp.async.wait_group %d;" : :%s' % (pad, left, MEMORY)
        text += ''.join('%s  %s ^= *(unsigned*)(mine + %d);\n' % (pad, self.pick('u'), k * 16) for k in range(n - left))
        return text + pad + '  asm volatile("cp.async.wait_all;" : : : "memory"); __syncwarp(); }\n'

    def fragments(self, pad):
        r, acc = self.r, self.r.choice(['float', '__half'])
        text = '%s{ __half* mine = (__half*)(room + warp * 2048); __syncwarp(); for (int k = 0; k < 16; ++k) ((unsigned*)mine)[k * 32 + lane] = sane(%s * (k + 1)); __syncwarp();\n' % (pad, self.pick('u'))
        for part in 'ab':
            text += '%s  wmma::fragment<wmma::matrix_%s, 16, 16, 16, __half, wmma::%s> %s; wmma::load_matrix_sync(%s, mine + %d, %d);\n' % (
                pad, part, r.choice(['row_major', 'col_major']), part.upper(), part.upper(), r.choice([0, 128, 256]), r.choice([16, 24]))
        text += '%s  wmma::fragment<wmma::accumulator, 16, 16, 16, %s> C; wmma::fill_fragment(C, (%s)%s); wmma::mma_sync(C, A, B, C);\n' % (pad, acc, acc, self.f32())
        text += '%s  for (int k = 0; k < C.num_elements; ++k) C.x[k] = C.x[k] * (%s)0.25f; wmma::mma_sync(C, A, B, C); __syncwarp();\n' % (pad, acc)
        return text + '%s  wmma::store_matrix_sync((%s*)mine, C, 16, wmma::mem_%s); __syncwarp(); %s = (float)((%s*)mine)[(lane * 7 + %d) & 255]; __syncwarp(); }\n' % (
            pad, acc, r.choice(['row_major', 'col_major']), self.pick('f'), acc, r.randrange(256))

    def exchange(self, pad):
        r = self.r
        t, of, op = r.choice([('f', 'float', 'plus'), ('u', 'unsigned', 'plus'), ('f', 'float', 'greater'), ('u', 'unsigned', 'bit_xor'), ('d', 'double', 'plus'), ('l', 'Word', 'less')])
        tiles = '{ auto tiles = cg::tiled_partition<%d>(cg::this_thread_block()); %%s = cg::%s(tiles, %%s, cg::%s<%s>()); }' % (
            r.choice([4, 8, 16, 32]), r.choice(['reduce', 'inclusive_scan', 'exclusive_scan' if op == 'plus' else 'reduce']), op, of)
        return self.of(pad, [
            ('asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %%0, %%1;" : "=r"(%s) : "r"(%s));', 'uu'),
            ('%s = __reduce_max_sync(~0u, (int)%s);', 'uu'), ('%s = __reduce_xor_sync(~0u, %s);', 'uu'), ('%s = __reduce_min_sync(~0u, %s);', 'uu'),
            ('{ int all; %s ^= __match_all_sync(~0u, %s >> 30, &all); %s += all; }', 'uuu'), ('%s = __match_any_sync(~0u, %s & 3ull);', 'ul'),
            ('%%s = __shfl_up_sync(~0u, %%s, %d);' % r.randrange(32), 'll'), ('%%s = __shfl_xor_sync(~0u, %%s, %d, 8);' % r.randrange(8), 'pp'),
            ('%s = __shfl_down_sync(~0u, %s, %s & 31);', 'qqu'), ('%s = __shfl_sync(~0u, %s, %s & 15, 16);', 'hhu'), (tiles, t + t), (tiles, t + t),
            ('{ const unsigned m = __ballot_sync(~0u, %s & 1); if (m & 1u << lane) { %s = __shfl_sync(m, %s, __ffs(m) - 1); %s = __reduce_or_sync(m, %s); } __syncwarp(); }', 'uffuu')])

    # ---- a block's
    def group(self, pad):
        """A warpgroup multiplies 16 KB of shared memory with themselves, through any descriptors; several products under way."""
        r = self.r
        (dt, at, bt, k), n, mode, v = r.choice(WGMMA), r.choice([8, 16, 24, 32]), r.randrange(4), self.fresh()
        count, (kind, letter, to) = n // (4 if dt == 'f16' else 2), KIND[dt]
        text = '%s{ __syncthreads(); for (int k = 0; k < 32; ++k) ((unsigned*)room)[k * 128 + threadIdx.x] = sane(%s * (k * 2 + 1) + %s);\n' % (pad, self.pick('u'), self.pick('u'))
        text += '%s  %s %s[%d]; for (int k = 0; k < %d; ++k) %s[k] = %s;\n' % (
            pad, kind, v, count, count, v, ('(float)(int)(%s >> (k & 7) & 255)' if dt == 'f32' else 'sane(%s + k)') % self.pick('u'))
        sources = [[self.fresh() for _ in range(4)] if r.random() < .4 else [] for _ in range(r.randrange(1, 4))]
        text += ''.join('%s  const unsigned %s = %s;\n' % (pad, w, self.word()) for words in sources for w in words)
        text += pad + '  asm volatile("fence.proxy.async;" : : : "memory"); __syncthreads(); asm volatile("wgmma.fence.sync.aligned;" : : : "memory");\n'

        def descriptor():
            offset = 16 * r.randrange(32) if mode == 0 else 32 * r.randrange(2) if mode == 1 else 0
            return '((Word)(((%s + %d) & 0x3ffff) >> 4) | %dull << 16 | %dull << 32 | %dull << 62)' % (SHARED % 'room', offset, r.randrange(1, 5) * 8, r.randrange(1, 5) * 8, mode)
        results = ', '.join('"+%s"(%s[%d])' % (letter, v, x) for x in range(count))
        for words in sources:
            major = lambda: ', %d' % r.randrange(2) if bt in ('f16', 'bf16') else ''
            scales = '' if dt == 's32' else ', %d, %d' % (r.choice([1, -1]), r.choice([1, -1]))
            a = len(words) or 1
            text += '%s  asm volatile("{ .reg .pred p; setp.ne.b32 p, %%%d, 0; wgmma.mma_async.sync.aligned.m64n%dk%d.%s.%s.%s %s, %s, %%%d, p%s%s%s; }" : %s : %s, "l"(%s), "r"(%d)%s' % (
                pad, count + a + 1, n, k, dt, at, bt, registers(0, count), registers(count, 4) if words else '%%%d' % count, count + a, scales,
                '' if words else major(), major(), results, ', '.join('"r"(%s)' % w for w in words) or '"l"(%s)' % descriptor(), descriptor(), r.choice([1, 1, 0]), MEMORY)
            if r.random() < .4:
                text += pad + '  asm volatile("wgmma.commit_group.sync.aligned;" : : : "memory");\n'
        text += '%s  asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" : %s :%s' % (pad, results, MEMORY)
        return text + pad + ' ' + ''.join(' %s = %s[%d];' % (self.pick(to), v, x) for x in range(0, count, 2)) + ' __syncthreads(); }\n'

    def ring(self, pad):
        """mbarriers and bulk copies: one thread asks, all wait and read."""
        r = self.r
        stages, turns, size, step = r.randrange(1, 4), r.randrange(1, 6), r.choice([256, 512, 1024]), 16 * r.randrange(1, 64)

        def ask(n):
            return ('{ asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%%0], %d;" : : "r"(bar + (%s) %% %d * 8)%s' % (size, n, stages, MEMORY)).rstrip() + (
                ' asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%%0], [%%1], %d, [%%2];" : : "r"(%s + (%s) %% %d * 1024), "l"((const char*)base + ((%s) * %d + blockIdx.x * 256) / 16 * 16), "r"(bar + (%s) %% %d * 8) : "memory"); }'
                % (size, SHARED % 'room', n, stages, n, step, n, stages))
        each = 'if (threadIdx.x == 0) for (int s = 0; s < %d; ++s) asm volatile("mbarrier.%%s.shared.b64 [%%%%0]%%s;" : : "r"(bar + s * 8) : "memory");' % stages
        text = pad + '{ __syncthreads(); ' + each % ('init', ', 1') + ' asm volatile("fence.proxy.async;" : : : "memory"); __syncthreads();\n'
        text += '%s  if (threadIdx.x == 0) for (int n = 0; n < %d && n < %d; ++n) %s\n%s  for (int n = 0; n < %d; ++n) {\n' % (pad, stages, turns, ask('n'), pad, turns)
        text += '%s    { unsigned done; do asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%%1], %%2; selp.u32 %%0, 1, 0, p; }" : "=r"(done) : "r"(bar + n %% %d * 8), "r"(n / %d & 1) : "memory"); while (!done); }\n' % (pad, stages, stages)
        text += '%s    %s = %s * 3u + *(unsigned*)(room + n %% %d * 1024 + ((threadIdx.x * %d + (%s & 3) * 4) & %d));\n' % (
            pad, self.pick('u'), self.pick('u'), stages, 4 * r.randrange(1, 9), self.pick('u'), size - 4)
        text += '%s    __syncthreads(); if (threadIdx.x == 0 && n + %d < %d) %s\n%s  }\n' % (pad, stages, turns, ask('(n + %d)' % stages), pad)
        return text + pad + '  __syncthreads(); ' + each % ('inval', '') + ' __syncthreads(); }\n'

    def atomics(self, pad):
        """Whose order nobody sees."""
        r, v = self.r, self.fresh()
        t, call, kinds, to, how = r.choice([
            ('unsigned', 'atomic%s(%%s, %%s)' % r.choice('Add Max Min And Or Xor'.split()), 'u', 'u', '^='),
            ('int', 'atomic%s(%%s, (int)%%s)' % r.choice('Add Max Min'.split()), 'u', 'u', '^='),
            ('unsigned', 'atomic%s(%%s, (unsigned)(%%s * 0 + %d))' % (r.choice(['Inc', 'Dec']), r.randrange(16, 40)), 'u', 'u', '^='),
            ('Word', 'atomic%s(%%s, %%s)' % r.choice('Add Max Xor'.split()), 'l', 'l', '^='),
            ('float', 'atomicAdd(%s, (float)(int)(%s & 255))', 'u', 'f', '+='), ('double', 'atomicAdd(%s, (double)(%s & 65535))', 'u', 'd', '+='),
            ('__half2', 'atomicAdd(%s, __float2half2_rn((float)(%s & 3)))', 'u', 'p', '+=')])
        first = '__float2half2_rn(1.0f)' if t == '__half2' else '(%s)threadIdx.x' % t
        return '%s{ __syncthreads(); %s* %s = (%s*)room; if (threadIdx.x < 16) %s[threadIdx.x] = %s; __syncthreads(); %s; __syncthreads(); %s %s %s[(threadIdx.x + %s) & 15]; __syncthreads(); }\n' % (
            pad, t, v, t, v, first, call % ('%s + ((threadIdx.x * %d + %s) & 15)' % (v, r.choice([1, 3, 4]), self.pick('u')), self.pick(kinds)), self.pick(to), how, v, self.pick('u'))

    def tree(self, pad):
        t, what, op = self.r.choice([('unsigned', 'u', '+'), ('unsigned', 'u', '* 3u ^'), ('float', 'f', '+'), ('float', 'f', '* 0.5f +'), ('float', 'f', '* 0.5f -')])
        return '%s{ __syncthreads(); %s* all = (%s*)room; all[threadIdx.x] = %s; __syncthreads(); for (int s = 64; s > 0; s >>= 1) { if (threadIdx.x < s) all[threadIdx.x] = all[threadIdx.x] %s all[threadIdx.x + s]; __syncthreads(); } %s = all[0]; __syncthreads(); }\n' % (
            pad, t, t, self.pick(what), op, self.pick(what))

    def swap(self, pad):
        return pad + self.fill('__syncthreads(); ((float*)room)[threadIdx.x] = %s; ((float*)room)[128 + threadIdx.x] = %s; __syncthreads(); %s = ((float*)room)[(threadIdx.x * 5 + %s) & 255] * %s - ((float*)room)[%s & 255]; __syncthreads();\n', 'fffufu')

    def count_threads(self, pad):
        return '%s%s ^= __syncthreads_%s(%s & 1);\n' % (pad, self.pick('u'), self.r.choice(['count', 'or', 'and']), self.pick('u'))

    # ---- where it stands
    def together(self, pad):
        """A branch or a loop that the block's threads, or the warp's lanes, take together."""
        r, at = self.r, self.level
        self.level, self.depth, self.count = r.choice([at, at, 1]), self.depth + 1, self.count + 1
        block = self.level == 2
        body = ''.join(self.statement(pad + '  ') for _ in range(r.randrange(1, 4)))
        if r.random() < .5:
            head = 'if (%s)' % (('__syncthreads_or(%s & 1)' if block else '__any_sync(~0u, %s & 1)') % self.pick('u'))
        else:
            i = 'w%d' % self.count
            self.count += 1
            turns = ('__syncthreads_count(%s & 1) & 3' if block else '__reduce_add_sync(~0u, %s) & 3') % self.pick('u')
            head = 'for (unsigned %s = 0, n%s = %s; %s < n%s; ++%s)' % (i, i, turns, i, i, i)
        self.level, self.depth = at, self.depth - 1
        return '%s%s {\n%s%s}\n' % (pad, head, body, pad)

    def statement(self, pad):
        r, k = self.r, self.r.random()
        if self.level == 2 and r.random() < .25:  # else soon everything would be a NaN
            return pad + 'for (int n = 0; n < 5; ++n) f[n] = tame(f[n]);\n'
        if self.level > 0 and self.depth < 3 and r.random() < .12:
            return self.together(pad)
        if self.level == 2 and k < .22:
            return r.choice([self.group] * 3 + [self.ring] * 2 + [self.atomics] * 3 + [self.tree] * 2 + [self.swap, self.count_threads])(pad)
        if self.level > 0 and k < .5:
            return r.choice([self.multiply] * 5 + [self.moved] * 2 + [self.flying, self.fragments] + [self.exchange] * 5)(pad)
        if k < .75:
            return r.choice([self.halves] * 3 + [self.formats] * 2 + [self.wide, self.functions, self.numbers, self.numbers, self.loop])(pad)
        # what expressions.py does together it does at depth 0; its branches are a lane's
        at, depth = self.level, self.depth
        self.level, self.depth = 0, depth + (at < 2)
        text = super().statement(pad)
        self.level, self.depth = at, depth
        return text


HEAD = expressions.HEAD.replace('#include <cuda_fp16.h>', '''#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <mma.h>''').replace('typedef unsigned long long Word;', '''namespace cg = cooperative_groups;
namespace wmma = nvcuda::wmma;
typedef unsigned long long Word;
typedef __int128 i128;
typedef unsigned __int128 u128;''') + r'''
__device__ unsigned bits(__half h) { return __hisnan(h) ? 0x7fffu : __half_as_ushort(h); }
__device__ unsigned bits(__nv_bfloat16 h) { return __hisnan(h) ? 0x7fffu : __bfloat16_as_ushort(h); }
__device__ float tame(float f) { return fabsf(f) < 1e6f ? f : 1.25f; }
__device__ unsigned sane(unsigned u) { return (u & 0x8fff8fffu) | 0x30003000u; }
__device__ unsigned vibmax(unsigned a, unsigned b, unsigned c) { bool p; return __vibmax_u32(a, b, &p) + (p ? c : 0); }
__device__ unsigned sads(unsigned a, unsigned b, unsigned c) { return __vsadu4(a, b) + __vsads2(b, c); }
__device__ unsigned relu3(unsigned a, unsigned b, unsigned c) { return (unsigned)__vimin3_s32_relu((int)a, (int)b, (int)c); }
__device__ unsigned pack4(unsigned a, unsigned b, unsigned c) { return (a & 255) | (b >> 8 & 255) << 8 | (c >> 3 & 255) << 16 | (a >> 24) << 24; }
__device__ float powif(float a, int n) { float r = 1; for (int k = 0; k < (n < 0 ? -n : n); ++k) r *= a; return n < 0 ? 1 / r : r; }
__device__ float cross(float x, float y) { return x * y - y * 2.0f + x * 2.0f; }
'''
START = expressions.START.replace('tile[64], cell;', '''tile[128], cell;
  __shared__ __align__(1024) unsigned char room[16384];
  __shared__ __align__(8) Word bars[4];
  __nv_bfloat162 q[2];
  i128 i[2];
  const Word* base = in;
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5, bar = (unsigned)__cvta_generic_to_shared(bars);''') \
    .replace('blockIdx.x * 64', 'blockIdx.x * 128').rstrip() + '''
  for (int n = 0; n < 2; ++n) q[n] = __halves2bfloat162(b[0], b[1]), i[n] = (i128)l[n] * (i128)(long long)in[n + 40];
  for (int n = 0; n < 128; ++n) room[n * 128 + threadIdx.x] = (unsigned char)(threadIdx.x * 7 + n);
  if (bar == 1 || lane + warp == 999) tile[0] = (unsigned)base[0];
  __syncthreads();
'''
END = expressions.END.replace('thread * 24', 'thread * 32').replace('__half_as_ushort(h[n])', 'bits(h[n])').replace('__bfloat16_as_ushort(b[n])', 'bits(b[n])') \
    .replace('__half_as_ushort(__low2half(p[n])) | (unsigned)__half_as_ushort(__high2half(p[n])) << 16', 'bits(__low2half(p[n])) | (unsigned)bits(__high2half(p[n])) << 16') \
    .replace('  out[23] = t;', '''  out[23] = t;
  for (int n = 0; n < 2; ++n) out[24 + n] = bits(__low2bfloat16(q[n])) | (unsigned)bits(__high2bfloat16(q[n])) << 16, out[26 + n] = (Word)i[n], out[28 + n] = (Word)(i[n] >> 64);
  out[30] = out[31] = 0;''')
MAIN = expressions.MAIN.replace('<<<4, 64>>>', '<<<2, 128>>>').replace('256 * 24', '256 * 32').replace('n % 24', 'n % 32').replace('== 23', '== 31')


if __name__ == '__main__':
    expressions.write(Together, 7, (5, 14), HEAD, START, END, MAIN)
