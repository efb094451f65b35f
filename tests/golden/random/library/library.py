#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes random CUDA C++ of what the toolkit's libraries do on the device: CUB's blocks and warps, cooperative groups, atomics, barriers
and pipelines of <cuda/...>, complex numbers and bits of <cuda/std/...>, with every type, in branches and loops that a block takes together.

    library.py SEED KERNELS > program.cu         nvcc -I FOLDER_OF_THIS -cudart shared -gencode arch=compute_90a,code=[compute_90a,sm_90a]

The program prints as ../expressions.py's does. What is called is in blocks.cuh and warps.cuh.
"""
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import expressions

TYPES = {'u': 'unsigned', 'l': 'Word', 'f': 'float', 'd': 'double', 's': 'Half', 'c': 'Byte', 'i': 'int', 'h': '__half', 'g': 'Big'}
SCANS = ['cub::BLOCK_SCAN_RAKING', 'cub::BLOCK_SCAN_RAKING_MEMOIZE', 'cub::BLOCK_SCAN_WARP_SCANS']
REDUCES = ['cub::BLOCK_REDUCE_RAKING', 'cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY', 'cub::BLOCK_REDUCE_WARP_REDUCTIONS']
LOADS = ['DIRECT', 'STRIPED', 'VECTORIZE', 'TRANSPOSE', 'WARP_TRANSPOSE', 'WARP_TRANSPOSE_TIMESLICED']
LANES = [2, 4, 8, 16, 32, 32]
WHOLE, NUMBERS = 'ulsci', 'ulsci' + 'fd'


class Library:
    def __init__(self, r, name):
        self.r, self.name, self.depth, self.count = r, name, 0, 0

    def pick(self, pool):
        return '%s[%d]' % (pool, self.r.randrange(4))

    def word(self):
        return self.r.choice([self.pick('u'), self.pick('u'), '(unsigned)' + self.pick('l'), '%du' % self.r.randrange(600), 'threadIdx.x', '(unsigned)%s >> 7' % self.pick('i')])

    def items(self, pool, count):
        return 'part<%d>(%s + %d)' % (count, pool, self.r.randrange(5 - count))

    def pools(self, choice, count, other=None):
        """One pool, or two that are not the same."""
        a = self.r.choice(choice)
        b = self.r.choice([p for p in other or choice if p != a])
        return a, self.items(a, count), self.items(b, count)

    def operator(self, pool):
        return '%s<%s>' % (self.r.choice(['Plus', 'Larger'] if pool == 'h' else ['Plus', 'Larger', 'Right']), TYPES[pool])

    # ---- of the block
    def block(self):
        r = self.r
        k, n, valid = r.randrange(13), r.choice([1, 2, 3, 4]), r.choice([0, 0, r.randrange(1, 128)])
        p, one, two = self.pools('ulfdscihg', n)
        if k == 0:
            return 'reduce<%s, %s>(room, %s, %d);' % (r.choice(REDUCES), self.operator(p), one, valid)
        if k == 1:
            return 'scan<%s, %s>(room, %s, %s);' % (r.choice(SCANS), self.operator(p), one, r.choice(['true', 'false']))
        if k in (2, 3):
            key, keys, values = self.pools('ulfdscih', n, 'ulfdscihg')
            bits = {'u': 32, 'l': 64, 'f': 32, 'd': 64, 's': 16, 'c': 8, 'i': 32, 'h': 16}[key]
            begin = r.choice([0, 0, r.randrange(bits)])
            return 'sort_digits<%d>(room, %s, %s, %d, %d, %d);' % (r.choice([1, 3, 4, 4, 5, 6]), keys, values, r.randrange(4), begin, r.choice([bits, r.randrange(begin, bits) + 1]))
        if k == 4:
            return 'sort_merging(room, %s, %s, %d);' % (one, two, valid)
        if k == 5:
            return 'exchange<%s>(room, %s, %d, %d);' % (r.choice(['true', 'false']), one, r.randrange(6), r.choice([1, 5, 7, 11, 35, 127]))
        if k == 6:
            return 'shuffle(room, %s, %d, %d);' % (one, r.randrange(4), r.randrange(128))
        if k == 7:
            return '%s ^= flags(room, %s, %s);' % (self.pick('u'), one, r.choice(['true', 'false']))
        if k == 8:
            return 'differences(room, %s, %s, %d);' % (one, r.choice(['true', 'false']), r.randrange(1, 128 * n + 1))
        if k == 9:
            return 'histogram<%s>(room, %s, %s);' % (r.choice(['cub::BLOCK_HISTO_SORT', 'cub::BLOCK_HISTO_ATOMIC']), self.items('c', n), self.pick('u'))
        if k == 10:
            return 'decode_runs(room, %s, %s);' % (one, self.items('u', n))
        if k == 11:
            return 'load<cub::BLOCK_LOAD_%s>(room, %s, base, %d, %d);' % (r.choice(LOADS), one, r.randrange(256), valid * n)
        return 'store<cub::BLOCK_STORE_%s>(room, %s, %d);' % (r.choice(LOADS), one, valid * n)

    # ---- of its warps
    def warp(self):
        r = self.r
        k, n, lanes = r.randrange(6), r.choice([1, 2, 3]), r.choice(LANES)
        p, one, two = self.pools('ulfdscihg', n)
        if k < 2:
            return 'warp_reduce<%d, %s>(room, %s, %s, %d);' % (r.choice(LANES + [5, 7, 12, 31]), self.operator(p), self.pick(p), self.word(), r.randrange(4))
        if k < 4:
            return 'warp_scan<%d, %s>(room, %s, %d);' % (r.choice(LANES + [6, 11, 27]), self.operator(p), self.pick(p), r.randrange(4))
        if k == 4:
            return 'warp_sort<%d>(room, %s, %s);' % (lanes, one, two)
        return 'warp_exchange<%d>(room, %s, %d);' % (lanes, one, r.randrange(2))

    def shared(self):
        r = self.r
        k, p = r.randrange(5), r.choice(NUMBERS)
        if k < 2:
            value = '(%s)(%s & 7)' % (TYPES[p], self.pick('u')) if p in 'fd' else self.pick(p)
            return 'sums<%s, cuda::thread_scope_%s>(%s, %s, %s, %d, %s);' % (TYPES[p], r.choice(['block', 'device', 'system']), r.choice(['room', 'cells']), value,
                                                                        self.word(), r.randrange(4 if p in 'fd' else 8), self.pick(p))
        if k < 4:
            how = r.randrange(5)
            return '%s ^= copied(room, base, %s, %d, %d);' % (self.pick('u'), self.word(), how, r.choice([20, 132, 516, 1000]) if how in (2, 3) and r.random() < .5 else 16 * r.randrange(1, 129))
        return '%s += phases(%s, %d);' % (self.pick('u'), self.pick('u'), r.randrange(1, 5))

    # ---- of lanes: those of a branch, too, where nobody waits for the block
    def some(self):
        r = self.r
        k, p = r.randrange(3), r.choice('ulfdi')
        if k == 0:
            text = 'groups(%s, %s, %d);' % (self.pick(p), self.word(), r.randrange(6))
            return 'if (%s & %d) { %s }' % (self.pick('u'), r.choice([1, 3, 8]), text) if r.random() < .6 else text
        if k == 1:
            return 'tiles<%d>(%s, %s, %d);' % (r.choice([1, 2, 4, 8, 16, 32]), self.pick(p), self.word(), r.randrange(6))
        return 'lanes_of(%s, %s, %d);' % (self.pick(r.choice('ulfdscig')), self.word(), r.randrange(4))

    def own(self):
        r = self.r
        p = r.choice('fd')
        if r.random() < .5:
            return 'complex_numbers(%s[%d], %s[%d], %d);' % (p, r.randrange(2), p, r.randrange(2, 4), r.randrange(12))
        p = r.choice('ulsc')
        return '%s = bits_of<%s>(%s, %s, %d);' % (self.pick(p), TYPES[p], self.pick(p), self.word(), r.randrange(12))

    def mixed(self):
        r = self.r
        return r.choice(['%s = (unsigned)%s * 2654435761u;' % (self.pick('u'), self.pick('l')), '%s ^= (Word)%s * %s;' % (self.pick('l'), self.pick('u'), self.pick('u')),
                         '%s = (float)(%s & 1023) * 0.125f;' % (self.pick('f'), self.pick('u')), '%s = (double)%s - 3;' % (self.pick('d'), self.pick('c')),
                         '%s = (Half)(%s >> 5); %s = (Byte)%s;' % (self.pick('s'), self.pick('l'), self.pick('c'), self.pick('u')), '%s -= (int)%s;' % (self.pick('i'), self.pick('u')),
                         '%s = Big{%s & 7, %s, %s};' % (self.pick('g'), self.pick('u'), self.pick('f'), self.word()), '%s = __float2half_rn(tame(%s));' % (self.pick('h'), self.pick('f'))])

    def statement(self, pad='  '):
        r, k = self.r, self.r.random()
        if k < .12 and self.depth < 2:
            self.depth, self.count = self.depth + 1, self.count + 1
            body = ''.join(self.statement(pad + '  ') for _ in range(r.randrange(1, 3)))
            self.depth -= 1
            turn = 'for (int k%d = __syncthreads_count(%s & 1) & 3; k%d > 0; --k%d)' % (self.count, self.pick('u'), self.count, self.count)
            return '%s%s {\n%s%s}\n' % (pad, r.choice([turn, 'if (__syncthreads_or((%s & 63) == 5))' % self.pick('u')]), body, pad)
        text = r.choice([self.block] * 8 + [self.warp] * 4 + [self.shared] * 3 + [self.some] * 4 + [self.own] * 3 + [self.mixed] * 4)()
        return '%s%s\n%s%s' % (pad, text, pad, 'settle(f, d, g, h);\n')


HEAD = r'''// random CUDA C++ of the toolkit's libraries, seed SEED
#include <cstdio>
#include <cstring>
#include <vector>
#include "warps.cuh"
__device__ __align__(16) unsigned char cells_of[64 * 16];
template <int N, class T>
__device__ T (&part(T* from))[N] { return *reinterpret_cast<T(*)[N]>(from); }
__device__ float tame(float f) { return fabsf(f) < 1e6f ? f : 1.25f; }
__device__ double tame(double f) { return fabs(f) < 1e9 ? f : 0.75; }
__device__ void settle(float (&f)[4], double (&d)[4], Big (&g)[4], __half (&h)[4]) {
  for (int n = 0; n < 4; ++n) f[n] = tame(f[n]), d[n] = tame(d[n]), g[n].value = tame(g[n].value), h[n] = __habs(h[n]) < __half(300.f) ? h[n] : __half(1.5f);
}
'''
START = '''
__global__ void NAME(const Word* in, Word* out) {
  __shared__ __align__(128) unsigned char room[kRoom];
  unsigned char* cells = cells_of + blockIdx.x * 128;
  unsigned u[4];
  Word l[4];
  float f[4];
  double d[4];
  Half s[4];
  Byte c[4];
  int i[4];
  __half h[4];
  Big g[4];
  const Word* base = in;
  const unsigned thread = blockIdx.x * 128 + threadIdx.x;
  in += thread;
  for (int n = 0; n < 4; ++n) {
    u[n] = (unsigned)in[n], l[n] = in[n + 11], f[n] = __uint_as_float((unsigned)in[2100 + n * 7]), d[n] = __longlong_as_double((long long)in[4200 + 3 * n]);
    s[n] = (Half)in[n + 20], c[n] = (Byte)in[n + 25], i[n] = (int)in[n + 30], h[n] = __ushort_as_half((Half)in[6300 + n]), g[n] = Big{u[n] & 15, f[n], threadIdx.x * 4 + n};
  }
  settle(f, d, g, h);
  for (int n = threadIdx.x; n < kRoom / 4; n += 128) ((unsigned*)room)[n] = 0;  // CUB reads what it then does not use
'''
END = '''
  out += thread * 40;
  for (int n = 0; n < 4; ++n) {
    out[n] = u[n], out[4 + n] = l[n], out[8 + n] = __float_as_uint(f[n]), out[12 + n] = (Word)__double_as_longlong(d[n]), out[16 + n] = s[n], out[20 + n] = c[n];
    out[24 + n] = (unsigned)i[n], out[28 + n] = __half_as_ushort(h[n]), out[32 + n] = g[n].key | (Word)__float_as_uint(g[n].value) << 32, out[36 + n] = g[n].tag;
  }
}
'''
if __name__ == '__main__':
    main = expressions.MAIN.replace('<<<4, 64>>>', '<<<2, 128>>>').replace('256 * 24', '256 * 40').replace('n % 24 ?', 'n % 40 ?').replace('n % 24 == 23', 'n % 40 == 39')
    expressions.write(Library, 8000000, (4, 12), HEAD, START, END, main)
