#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes random CUDA C++ of where programs keep things: together.py's kernels, and in them arrays in local memory that are
indexed by what comes, bytes and halfwords of words, bit fields, vectors loaded and stored under every cache operator, vectors of
atomics, pointers of which nobody knows the memory, calls through tables and virtual functions, lambdas that return early,
fragments carried through loops from ldmatrix to stmatrix, `nvcuda::wmma` of every shape with strides of its own, groups of
lanes that a branch made, copies that fill with zeros or nothing.

    keeping.py SEED KERNELS > program.cu
"""

import expressions
import together
from together import SHARED, MEMORY, Together, registers

CAST = ['unsigned char', 'signed char', 'unsigned short', 'short']
WMMA = [('__half', 16, 16, 16, 'float'), ('__half', 32, 8, 16, '__half'), ('__half', 8, 32, 16, 'float'), ('__nv_bfloat16', 16, 16, 16, 'float'),
        ('__nv_bfloat16', 8, 32, 16, 'float'), ('signed char', 16, 16, 16, 'int'), ('unsigned char', 32, 8, 16, 'int'), ('signed char', 8, 32, 16, 'int'),
        ('wmma::precision::tf32', 16, 16, 8, 'float'), ('double', 8, 8, 4, 'double'), ('wmma::experimental::precision::s4', 8, 8, 32, 'int'),
        ('wmma::experimental::precision::u4', 8, 8, 32, 'int'), ('wmma::experimental::precision::b1', 8, 8, 128, 'int')]
WBITS = {'__half': 16, '__nv_bfloat16': 16, 'signed char': 8, 'unsigned char': 8, 'wmma::precision::tf32': 32, 'double': 64,
         'wmma::experimental::precision::s4': 4, 'wmma::experimental::precision::u4': 4, 'wmma::experimental::precision::b1': 1}
KEPT = {'__half': '__half', '__nv_bfloat16': '__nv_bfloat16', 'signed char': 'signed char', 'unsigned char': 'unsigned char', 'double': 'double', 'wmma::precision::tf32': 'float'}


class Keeping(Together):
    # ---- a lane's own
    def array(self, pad):
        r, t = self.r, self.r.choice(CAST)
        n = 64 if 'char' in t else 32
        return self.of(pad, [
            ('keep[%s & 15] = %s;', 'uu'), ('%s ^= keep[%s & 15];', 'uu'), ('keep[%s & 15] += keep[%s & 15] * 3u;', 'uu'),
            ('((%s*)keep)[%%s & %d] = (%s)%%s;' % (t, n - 1, t), 'uu'), ('%%s += (unsigned)((%s*)keep)[%%s & %d];' % (t, n - 1), 'uu'),
            ('((float*)keep)[%s & 15] = tame(%s);', 'uf'), ('%s = tame(((float*)keep)[%s & 15]) - %s;', 'fuf'),
            ('{ const uint4 w = ((uint4*)keep)[%s & 3]; %s ^= w.x + w.w; ((uint4*)keep)[%s & 3] = make_uint4(w.z, w.x, %s, w.y); }', 'uuuu'),
            ('((Word*)keep)[%s & 7] = %s; %s ^= ((Word*)keep)[%s & 7];', 'ullu'), ('memcpy((char*)keep + (%s %% 61), &%s, 3); memcpy(&%s, (char*)keep + (%s %% 60), 4);', 'uuuu'),
            ('%s = scramble(keep, %s & 15, %s);', 'uuu'), ('for (unsigned k = 0, n = %s & 15; k < n; ++k) { const unsigned w = keep[k]; keep[k] = keep[n - k] ^ k; keep[n - k] = w; }', 'u'),
            ('{ unsigned n = 0; while (n < 12 && (keep[n] & 3) != (%s & 3)) ++n; %s += n; }', 'uu')])

    def bytes(self, pad):
        return self.of(pad, [
            ('{ uchar4 a = *(uchar4*)&%s, c = *(uchar4*)&%s; a.x += c.w; a.y = (unsigned char)(a.y * c.x >> 3); a.z -= c.y; a.w = a.w > c.z ? a.w : c.z; %s = *(unsigned*)&a; }', 'uuu'),
            ('{ char4 a = *(char4*)&%s; a.x = (signed char)(a.x / 3 - a.y); a.z = (signed char)(a.z >> 2); a.w = (signed char)(-a.w); %s = *(unsigned*)&a; }', 'uu'),
            ('{ short2 a = *(short2*)&%s, c = *(short2*)&%s; a.x = (short)(a.x * c.y >> 4); a.y = (short)max((int)a.y, (int)c.x); %s = *(unsigned*)&a; }', 'uuu'),
            ('{ Fields w; memcpy(&w, &%s, 8); w.a += 3; w.b = (int)%s; w.c ^= w.d; w.e = w.b + w.a; memcpy(&%s, &w, 8); }', 'lul'),
            ('{ Either e; e.f = tame(%s); e.s[1] += (short)%s; e.c[0] = (unsigned char)(e.c[3] - e.c[0]); %s ^= e.u; }', 'fuu'),
            ('%s = (unsigned)(short)%s * (unsigned)(signed char)%s;', 'uuu'), ('%s = (unsigned short)%s << 7 | (unsigned char)(%s >> 5);', 'uuu'),
            ('%s = (unsigned)min(max((int)%s >> 20, -100), 90) & 0xffffu;', 'uu'), ('%s = (Word)(short)%s + (Word)(long long)(int)%s;', 'luu'),
            ('%s = base[(long long)(int)(%s & 1023) - (long long)(int)(%s & 255) + 300];', 'luu')])

    def vectors(self, pad):
        """Of global memory, the thread's 256 bytes, under cache operators."""
        r = self.r
        t, fields = r.choice([('uint4', 'xyzw'), ('float4', 'xyzw'), ('ushort4', 'xyzw'), ('uchar4', 'xyzw'), ('int2', 'xy'), ('short2', 'xy'), ('uchar2', 'xy'), ('ulonglong2', 'xy'), ('double2', 'xy'), ('char4', 'xyzw')])
        a, c = r.choice(fields), r.choice(fields)
        value = {'float4': 'tame(%s)' % self.pick('f'), 'double2': '(double)tame(%s)' % self.pick('f'), 'ulonglong2': self.pick('l')}.get(t, self.pick('u'))
        into = {'float4': '%s = tame(w.%s);' % (self.pick('f'), a), 'double2': '%s = w.%s * 0.5;' % (self.pick('d'), a), 'ulonglong2': '%s ^= w.%s;' % (self.pick('l'), a)}.get(t, '%s ^= (unsigned)w.%s;' % (self.pick('u'), a))
        n = 256 // {'uint4': 16, 'float4': 16, 'ushort4': 8, 'uchar4': 4, 'int2': 8, 'short2': 4, 'uchar2': 2, 'ulonglong2': 16, 'double2': 16, 'char4': 4}[t]
        at = lambda: '(%s*)mine + (%s & %d)' % (t, self.pick('u'), n - 1)
        load, store = r.choice(['*(%s)', '__ldca(%s)', '__ldcg(%s)', '__ldcs(%s)', '__ldlu(%s)', '__ldcv(%s)']), r.choice(['*(%s) = w', '__stwb(%s, w)', '__stcg(%s, w)', '__stcs(%s, w)', '__stwt(%s, w)'])
        field = {'float4': 'float', 'double2': 'double'}.get(t, 'decltype(w.%s)' % c)
        return '%s{ %s w = %s; %s w.%s = (%s)%s; %s; }\n' % (pad, t, load % at(), into, c, field, value, store % at())

    def typed(self, pad):
        """ld and st of PTX: vectors of small types, wider registers, signs."""
        r = self.r
        space, pointer = r.choice([('.global', '"l"(mine + %s)'), ('', '"l"(mine + %s)'), ('', '"l"((char*)keep + %s)'), ('.shared', '"r"(%s + (warp * 4096 + lane * 64) + %%s)' % (SHARED % 'own_room')), ('', '"l"(own_room + (warp * 4096 + lane * 64) + %s)')])
        n = r.choice([1, 2, 4])
        t, letter = r.choice([('u8', 'r'), ('s8', 'r'), ('b8', 'r'), ('u16', 'h'), ('s16', 'r'), ('u16', 'r'), ('b32', 'r'), ('s32', 'r'), ('f32', 'f'), ('u64', 'l'), ('s32', 'l'), ('u8', 'h'), ('s8', 'l'), ('u16', 'l')])
        size = int(t[1:]) // 8
        if n * size > 16:
            n = 16 // size
        how = r.choice(['', '', '.relaxed.gpu' if n == 1 and size > 1 else '', '.volatile', '.L1::evict_last' if space == '.global' else '', '.L1::no_allocate' if space == '.global' else '', '.cs' if space else '', '.cg' if space == '.global' else ''])
        if how.startswith('.L1') or how.startswith('.c'):
            op = space + how
        else:
            op = how + space
        v = self.fresh()
        kind, to = {'r': ('unsigned', 'u'), 'h': ('unsigned short', 'u'), 'f': ('float', 'f'), 'l': ('Word', 'l')}[letter]
        offset = '(%s & %d) * %d' % (self.pick('u'), 64 // (n * size) - 1, n * size)
        vector = '' if n == 1 else '.v%d' % n
        lists = lambda first: '%%%d' % first if n == 1 else registers(first, n)
        if r.random() < .6:
            outs = ', '.join('"=%s"(%s[%d])' % (letter, v, k) for k in range(n))
            text = '%s{ %s %s[%d]; asm volatile("ld%s%s.%s %s, [%%%d];" : %s : %s%s' % (pad, kind, v, n, op, vector, t, lists(0), n, outs, pointer % offset, MEMORY)
            return text + pad + ' ' + ''.join(' %s;' % ('%s = tame(%s[%d])' % (self.pick(to), v, k) if to == 'f' else '%s ^= %s[%d]' % (self.pick(to), v, k)) for k in range(n)) + ' }\n'
        ins = ', '.join('"%s"(%s%s)' % (letter, '(unsigned short)' if letter == 'h' else 'tame' if letter == 'f' else '', '(%s)' % self.pick(to)) for _ in range(n))
        return '%sasm volatile("st%s%s.%s [%%0], %s;" : : %s, %s%s' % (pad, op.replace('.L1::no_allocate', ''), vector, t, lists(1), pointer % offset, ins, MEMORY)

    def atomic_vector(self, pad):
        r = self.r
        t, n, letter = r.choice([('f32', 2, 'f'), ('f32', 4, 'f'), ('noftz.f16x2', 2, 'r'), ('noftz.f16x2', 4, 'r'), ('noftz.bf16x2', 2, 'r'), ('noftz.bf16x2', 4, 'r'), ('noftz.f16', 4, 'h'), ('noftz.f16', 8, 'h'), ('noftz.bf16', 2, 'h')])
        op = 'add' if t == 'f32' else r.choice(['add', 'min', 'max'])
        v, kind = self.fresh(), {'f': 'float', 'r': 'unsigned', 'h': 'unsigned short'}[letter]
        values = ['"%s"(%s)' % (letter, 'tame(%s)' % self.pick('f') if letter == 'f' else 'sane(%s)' % self.pick('u') if letter == 'r' else '(unsigned short)sane(%s)' % self.pick('u')) for _ in range(n)]
        to = '"l"(mine + (%s & 7) * 32)' % self.pick('u')
        head = '%s{ *(uint4*)(mine + %d) = make_uint4(sane(%s), sane(%s), 0x3c003c00u, 0x40003f80u);' % (pad, 32 * r.randrange(8), self.pick('u'), self.pick('u'))
        name = '%s.v%d.%s' % (op + ('.noftz' if 'noftz' in t else ''), n, t.split('.')[-1])
        if r.random() < .4:
            return head + ' asm volatile("red.relaxed.gpu.global.%s [%%0], %s;" : : %s, %s : "memory"); }\n' % (name, registers(1, n), to, ', '.join(values))
        outs = ', '.join('"=%s"(%s[%d])' % (letter, v, k) for k in range(n))
        return head + ' %s %s[%d]; asm volatile("atom.relaxed.gpu.global.%s %s, [%%%d], %s;" : %s : %s, %s : "memory"); ' % (
            kind, v, n, name, registers(0, n), n, registers(n + 1, n), outs, to, ', '.join(values)) + \
            ('%s = tame(%s[%d]); }\n' % (self.pick('f'), v, r.randrange(n)) if letter == 'f' else '%s ^= %s[%d]; }\n' % (self.pick('u'), v, r.randrange(n)))

    def calls(self, pad):
        return self.of(pad, [
            ('%s = kCalls[%s & 3](%s, %s);', 'uuuf'), ('%s = dispatch(%s, %s, tame(%s));', 'fuuf'), ('%s = pick_one(%s & 1 ? keep : (unsigned*)mine, %s & 1 ? &%s : word, %s & 7);', 'uuuuu'),
            ('{ unsigned* w = %s & 1 ? keep + 3 : %s & 2 ? (unsigned*)(own_room + warp * 4096 + lane * 64) : (unsigned*)mine; w[%s & 7] += %s; %s ^= w[1]; }', 'uuuuu'),
            ('{ auto go = [&](unsigned w) { for (unsigned k = 0; k < 6; ++k) { if (w & 1u << k) return w * k; if (k == (%s & 7)) break; w += keep[k]; } return w ^ 5u; }; %s = go(%s) + go(%s); }', 'uuuu'),
            ('{ unsigned k = 0; float s = 0; do { s += tame(%s) * (float)k; if (s > 1e5f) break; if (keep[k & 15] & 4) continue; s -= 0.75f; } while (++k < (%s & 7)); %s = s; }', 'fuf'),
            ('%s = walk(keep, %s & 15, 0);', 'uu'), ('{ Big w = make_big(%s, tame(%s)); w = turned(w, %s & 3); %s = w.f[1]; %s ^= w.u[2]; %s ^= w.l; }', 'ufuful'),
            ('switch (%s %% 7) { case 0: %s += 5; case 1: %s = tame(%s) * 2.0f - %s; break; case 4: keep[2] ^= %s; break; case 6: %s = %s * 3 + 1; default: %s ^= 9u; }', 'uufffuuuu')])

    # ---- a warp's
    def carried(self, pad):
        """A product's loop: fragments by ldmatrix, the next ones while these are multiplied, D carried, stored by stmatrix."""
        r, v = self.r, self.fresh()
        t, turns, unroll = r.choice(['f16', 'bf16']), r.choice(['3', '4', '6', '(__reduce_max_sync(~0u, %s) & 7)' % self.pick('u')]), r.choice(['#pragma unroll 1\n', '#pragma unroll\n', '#pragma unroll 2\n', ''])
        d = r.choice(['f32', 'f32', 'f16']) if t == 'f16' else 'f32'
        count, kind, letter = (4, 'float', 'f') if d == 'f32' else (2, 'unsigned', 'r')
        lane_row = r.choice(['(lane & 15) * 16 + (lane >> 4) * 4', '(lane & 15) * 16 + ((lane >> 4) ^ (lane >> 2 & 1)) * 4', '(lane & 7) * 16 + (lane >> 3) * 4'])
        text = '%s{ unsigned* own = (unsigned*)(own_room + warp * 4096); __syncwarp(); for (int k = 0; k < 16; ++k) own[k * 32 + lane] = %s(%s * (2 * k + 1) + lane); __syncwarp();\n' % (pad, 'sane' if t == 'f16' else 'sane_b', self.pick('u'))
        text += '%s  %s %s[%d] = {%s}; unsigned a%s[2][4], b%s[2][2]; const unsigned at = %s + (%s) * 4;\n' % (
            pad, kind, v, count, ', '.join('tame(%s)' % self.pick('f') if d == 'f32' else 'sane(%s)' % self.pick('u') for _ in range(count)), v, v, SHARED % 'own', lane_row)
        load = lambda s, n: 'asm volatile("ldmatrix.sync.aligned.m8n8.x4%s.shared.b16 {%%0, %%1, %%2, %%3}, [%%4];" : "=r"(a%s[%s][0]), "=r"(a%s[%s][1]), "=r"(a%s[%s][2]), "=r"(a%s[%s][3]) : "r"(at + (%s & 3) * 32)); asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%%0, %%1}, [%%2];" : "=r"(b%s[%s][0]), "=r"(b%s[%s][1]) : "r"(at + ((%s + 1) & 3) * 32));' % (
            trans, v, s, v, s, v, s, v, s, n, v, s, v, s, n)
        trans = r.choice(['', '.trans'])
        text += '%s  %s\n%s%s  for (unsigned n = 0, all = %s; n < all; ++n) {\n%s    if (n + 1 < all) { %s }\n' % (pad, load('0', '0'), unroll, pad, turns, pad, load('(n + 1) & 1', '(n + 1)'))
        sign = r.choice(['', 'if (n & 1) { for (int k = 0; k < 4; ++k) a%s[n & 1][k] ^= 0x80008000u; } ' % v, 'if (__any_sync(~0u, %s & 1)) ' % self.pick('u')])
        text += '%s    %sasm volatile("mma.sync.aligned.m16n8k16.row.col.%s.%s.%s.%s %s, {%%%d, %%%d, %%%d, %%%d}, {%%%d, %%%d}, %s;" : %s : %s);\n' % (
            pad, sign, d, t, t, d, registers(0, count), *range(count, count + 6), registers(0, count), ', '.join('"+%s"(%s[%d])' % (letter, v, k) for k in range(count)),
            ', '.join(['"r"(a%s[n & 1][%d])' % (v, k) for k in range(4)] + ['"r"(b%s[n & 1][%d])' % (v, k) for k in range(2)]))
        if r.random() < .5:
            text += '%s    for (int k = 0; k < %d; ++k) %s[k] = %s;\n' % (pad, count, v, '%s[k] * 0.5f + %s' % (v, r.choice(['1.0f', '(float)n', 'tame(%s)' % self.pick('f')])) if d == 'f32' else 'unpacked(__hmul2(packed(%s[k]), packed(0x38003800u)))' % v)
        text += pad + '  }\n'
        if r.random() < .5:
            words = ['pack2(%s[%d], %s[%d])' % (v, k, v, k + 1) for k in (0, 2)] if d == 'f32' else ['%s[0]' % v, '%s[1]' % v]
            return text + '%s  __syncwarp(); asm volatile("stmatrix.sync.aligned.m8n8.x2%s.shared.b16 [%%0], {%%1, %%2};" : : "r"(%s + (lane & 15) * 16), "r"(%s), "r"(%s)%s%s  __syncwarp(); %s = own[lane * 2 + 1]; __syncwarp(); }\n' % (
                pad, trans, SHARED % 'own', *words, MEMORY, pad, self.pick('u'))
        to = 'f' if d == 'f32' else 'u'
        return text + pad + ' ' + ''.join(' %s %s %s[%d];' % (self.pick(to), '=' if to == 'f' else '^=', v, k) for k in range(count)) + ' __syncwarp(); }\n'

    def shaped(self, pad):
        """nvcuda::wmma, strides of its own, of shared or global memory."""
        r, v = self.r, self.fresh()
        t, m, n, k, acc = r.choice(WMMA)
        bits, small = WBITS[t], WBITS[t] < 8
        layouts = ['row_major', 'col_major'] if small else [r.choice(['row_major', 'col_major']) for _ in 'ab']
        unit = {16: 8, 8: 16, 32: 4, 64: 2, 4: 32, 1: 128}[bits]
        filler = {'__half': 'sane', '__nv_bfloat16': 'sane_b', 'wmma::precision::tf32': 'sane_f', 'double': 'sane_d'}.get(t, '')
        text = '%s{ unsigned* own = (unsigned*)(own_room + warp * 4096); __syncwarp(); for (int k = 0; k < 32; ++k) own[k * 32 + lane] = %s; __syncwarp();\n' % (
            pad, ('%s(%s * (2 * k + 1), lane)' % (filler, self.pick('u')) if filler in ('sane_d',) else '%s(%s * (2 * k + 1) + lane)' % (filler, self.pick('u'))))
        for part, (rows, cols), layout in (('a', (m, k), layouts[0]), ('b', (k, n), layouts[1])):
            inner = cols if layout == 'row_major' else rows
            stride = inner if small else inner + unit * r.randrange(2)
            outer = rows * cols // inner
            most = 4096 * 8 // bits - stride * outer
            text += '%s  wmma::fragment<wmma::matrix_%s, %d, %d, %d, %s, wmma::%s> %s%s; wmma::load_matrix_sync(%s%s, (%s)own + %d, %d);\n' % (
                pad, part, m, n, k, t, layout, part, v, part, v, 'const %s*' % KEPT[t] if t in KEPT else 'const void*', 0 if small else min(most, 32 * 8 // bits * r.randrange(4)), stride)
            if t == 'wmma::precision::tf32':
                text += '%s  for (int k = 0; k < %s%s.num_elements; ++k) %s%s.x[k] = wmma::__float_to_tf32(%s%s.x[k]);\n' % (pad, part, v, part, v, part, v)
        text = text.replace('(const void*)own + 0', '(const void*)own')
        first = {'float': 'tame(%s)' % self.pick('f'), '__half': '(__half)1.5f', 'int': '(int)(%s & 255)' % self.pick('u'), 'double': '(double)tame(%s)' % self.pick('f')}[acc]
        text += '%s  wmma::fragment<wmma::accumulator, %d, %d, %d, %s> c%s; wmma::fill_fragment(c%s, %s);\n' % (pad, m, n, k, acc, v, v, first)
        multiply = 'wmma::bmma_sync(c%s, a%s, b%s, c%s, wmma::experimental::%s);' % (v, v, v, v, r.choice(['bmmaBitOpXOR', 'bmmaBitOpAND'])) if bits == 1 else \
            'wmma::mma_sync(c%s, a%s, b%s, c%s%s);' % (v, v, v, v, ', true' if acc == 'int' and bits == 8 and r.random() < .4 else '')
        text += '%s  for (unsigned n = 0; n < %s; ++n) { %s%s }\n' % (pad, r.choice(['2', '1', '(__reduce_max_sync(~0u, %s) & 3)' % self.pick('u')]), multiply,
                                                                     ' for (int k = 0; k < c%s.num_elements; ++k) c%s.x[k] = c%s.x[k] * (%s)0.5f;' % (v, v, v, acc) if acc in ('float', '__half') else '')
        layout = r.choice(['row_major', 'col_major'])
        stride = (n if layout == 'row_major' else m) + r.choice([0, 4 if acc != '__half' else 8])
        at = '(lane * 7 + %d) & %d' % (r.randrange(64), 63 if m * n == 64 else 127)
        text += '%s  __syncwarp(); wmma::store_matrix_sync((%s*)own, c%s, %d, wmma::mem_%s); __syncwarp();' % (pad, acc, v, stride, layout)
        into = {'float': '%s = ((float*)own)[%s];' % (self.pick('f'), at), '__half': '%s = ((__half*)own)[%s];' % (self.pick('h'), at), 'int': '%s ^= ((unsigned*)own)[%s];' % (self.pick('u'), at), 'double': '%s = ((double*)own)[%s];' % (self.pick('d'), at)}[acc]
        return text + ' %s __syncwarp(); }\n' % into

    def branched(self, pad):
        """Groups of the lanes that a branch let through."""
        r = self.r
        what = self.of(pad + '  ', [
            ('{ auto g = cg::coalesced_threads(); %s += g.shfl(%s, 0) + g.thread_rank() * g.size(); }', 'uu'), ('{ auto g = cg::coalesced_threads(); %s = cg::reduce(g, %s, cg::plus<unsigned>()); }', 'uu'),
            ('{ auto g = cg::coalesced_threads(); %s ^= g.shfl_down(%s, 1) + g.ballot(%s & 1) + g.any(%s & 2); }', 'uuuu'), ('{ auto g = cg::labeled_partition(cg::coalesced_threads(), %s & 1); %s ^= g.shfl(%s, g.size() - 1); }', 'uuu'),
            ('{ auto g = cg::binary_partition(cg::coalesced_threads(), (%s & 4) != 0); %s += g.match_any(%s & 3) + cg::reduce(g, %s, cg::bit_xor<unsigned>()); }', 'uuuu'),
            ('{ auto g = cg::coalesced_threads(); %s ^= g.match_all(%s & 1, *(int*)&table[2]) + cg::inclusive_scan(g, %s); }', 'uuu')])
        return '%s__syncwarp(); if (const unsigned m = __ballot_sync(~0u, %s & %d); m >> lane & 1) {\n%s  __syncwarp(m);\n%s%s} __syncwarp();\n' % (pad, self.pick('u'), r.choice([1, 3, 6]), pad, what, pad)

    def zeros(self, pad):
        """cp.async that fills with zeros, or takes nothing."""
        r = self.r
        text = '%s{ char* own = (char*)own_room + warp * 4096 + lane * 64; __syncwarp();\n' % pad
        for k in range(r.randrange(1, 4)):
            size = r.choice([4, 8, 16])
            how = r.choice(['cg', 'ca']) if size == 16 else 'ca'
            where = '"r"(%s + %d), "l"((const char*)base + (%s & 1023) * 16)' % (SHARED % 'own', k * 16, self.pick('u'))
            kind = r.randrange(4)
            if kind == 0:
                text += '%s  asm volatile("cp.async.%s.shared.global%s [%%0], [%%1], %d, %%2;" : : %s, "r"(%s %% %d)%s' % (pad, how, r.choice(['', '.L2::128B', '.L2::64B']), size, where, self.pick('u'), size + 1, MEMORY)
            elif kind == 1:
                text += '%s  asm volatile("{ .reg .pred p; setp.ne.u32 p, %%2, 0; cp.async.%s.shared.global [%%0], [%%1], %d, p; }" : : %s, "r"(%s & 1)%s' % (pad, how, size, where, self.pick('u'), MEMORY)
            elif kind == 2:
                text += '%s  if (%s & 1) asm volatile("cp.async.%s.shared::cta.global.L2::256B [%%0], [%%1], %d;" : : %s%s' % (pad, self.pick('u'), how, size, where, MEMORY)
            else:
                text += '%s  __pipeline_memcpy_async(own + %d, (const char*)base + (%s & 1023) * 16, %d, %d); __pipeline_commit();\n' % (pad, k * 16, self.pick('u'), size, r.randrange(size + 1))
        text += '%s  asm volatile("cp.async.wait_all;" : :%s%s  __syncwarp(); %s ^= *(unsigned*)(own + %d); %s ^= *(Word*)(own + 8); __syncwarp(); }\n' % (pad, MEMORY, pad, self.pick('u'), 16 * r.randrange(3), self.pick('l'))
        return text

    def statement(self, pad):
        r, k = self.r, self.r.random()
        if self.level > 0 and k < .3:
            return r.choice([self.carried] * 4 + [self.shaped] * 4 + [self.branched] * 2 + [self.zeros] * 2)(pad)
        if k < .75:
            return r.choice([self.array] * 4 + [self.bytes] * 3 + [self.vectors] * 3 + [self.typed] * 3 + [self.atomic_vector] + [self.calls] * 3)(pad)
        return super().statement(pad)


HEAD = '#pragma nv_diag_suppress 177, 549, 550\n' + together.HEAD.replace('#include <cuda_fp16.h>', '#include <cuda_fp16.h>\n#include <cuda_pipeline.h>') + r'''
struct Fields { unsigned a : 5; int b : 11; unsigned c : 16; unsigned d : 7; int e : 20; };
union Either { float f; unsigned u; short s[2]; unsigned char c[4]; };
struct Big { float f[3]; unsigned u[5]; Word l; };
__device__ uint4 kept_in_global[256 * 16];
__device__ unsigned sane_b(unsigned u) { return (u & 0x80ff80ffu) | 0x3f003f00u; }
__device__ unsigned sane_f(unsigned u) { return (u & 0x80ffffffu) | 0x3f000000u; }
__device__ unsigned sane_d(unsigned u, unsigned lane) { return lane & 1 ? (u & 0x800fffffu) | 0x3fe00000u : u; }
__device__ unsigned pack2(float a, float b) { return bits(__float2half_rn(a)) | bits(__float2half_rn(b)) << 16; }
__device__ __half2 packed(unsigned u) { return *(__half2*)&u; }
__device__ unsigned unpacked(__half2 h) { return *(unsigned*)&h; }
__noinline__ __device__ unsigned scramble(unsigned* a, unsigned at, unsigned u) { for (unsigned k = 0; k < 4; ++k) { a[(at + k * 5) & 15] += u >> k; u ^= a[(at + 3 * k) & 15]; } return u; }
__noinline__ __device__ unsigned pick_one(unsigned* a, unsigned* b, unsigned n) { *b += a[n]; a[n & 3] ^= 0x55u + n; return *b + a[n]; }
__noinline__ __device__ unsigned walk(unsigned* a, unsigned at, unsigned deep) { if (deep > 5 || (a[at] & 7) == 7) return at + deep; unsigned here[4]; for (int k = 0; k < 4; ++k) here[k] = a[(at + k) & 15]; return walk(a, here[deep & 3] & 15, deep + 1) + here[(deep + 1) & 3]; }
__noinline__ __device__ Big make_big(unsigned u, float f) { Big w; for (int k = 0; k < 3; ++k) w.f[k] = f * (float)(k + 1); for (int k = 0; k < 5; ++k) w.u[k] = u >> k; w.l = (Word)u * u; return w; }
__noinline__ __device__ Big turned(Big w, unsigned n) { Big v = w; for (unsigned k = 0; k < n; ++k) { v.f[k % 3] = w.f[(k + 1) % 3] - 0.5f; v.u[(k + n) % 5] = w.u[k] * 3; v.l ^= v.u[4]; } return v; }
__device__ unsigned call0(unsigned u, float f) { return u * 7 + (f > 0.0f); }
__device__ unsigned call1(unsigned u, float f) { return __float_as_uint(one(f * 2.0f)) ^ u; }
__device__ unsigned call2(unsigned u, float) { return __brev(u) - 3; }
__device__ unsigned call3(unsigned u, float f) { return f < 1.0f ? u / 10 : u % 10; }
__device__ unsigned (*const kCalls[4])(unsigned, float) = {call0, call1, call2, call3};
struct Shape { float w; __device__ Shape(float x) : w(x) {} __device__ virtual float area(float) const { return w; } };
struct Square : Shape { __device__ Square(float x) : Shape(x) {} __device__ float area(float s) const override { return w * w - s; } };
struct Disc : Shape { float k; __device__ Disc(float x, float y) : Shape(x), k(y) {} __device__ float area(float s) const override { return w * k + s * 0.25f; } };
__noinline__ __device__ float area_of(const Shape* s, float x) { return s->area(x) + 1.0f; }
__noinline__ __device__ float dispatch(unsigned a, unsigned b, float f) { Square q(f); Disc c(f, (float)(b & 15)); Shape p(2.0f); const Shape* s = a & 1 ? (const Shape*)&q : a & 2 ? (const Shape*)&c : &p; return area_of(s, f) + area_of(b & 1 ? s : &c, 0.5f); }
'''
START = together.START.rstrip() + '''
  unsigned keep[16];
  unsigned char* mine = (unsigned char*)kept_in_global + thread * 256;
  __shared__ __align__(1024) unsigned char own_room[16384];
  __shared__ unsigned words[128];
  unsigned* word = words + threadIdx.x;
  *word = u[0] ^ 77u;
  for (int n = 0; n < 32; ++n) ((unsigned*)own_room)[n * 128 + threadIdx.x] = sane(u[3] * (n + 1));
  for (int n = 0; n < 16; ++n) keep[n] = (unsigned)(in[n] >> 9) * (n + 1), ((uint4*)mine)[n] = make_uint4(sane(u[1] + n), sane(u[2] * n), sane(keep[n]), 0x3f803c00u);
  __syncthreads();
'''
END = together.END.replace('out[30] = out[31] = 0;', '''Word s = 0, g = 0;
  for (int n = 0; n < 16; ++n) s = s * 31 + keep[n];
  for (int n = 0; n < 64; ++n) g = g * 31 + ((unsigned*)mine)[n];
  out[30] = s, out[31] = g;''')


if __name__ == '__main__':
    expressions.write(Keeping, 13, (6, 16), HEAD, START, END, together.MAIN)
