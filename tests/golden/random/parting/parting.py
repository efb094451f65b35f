#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes random CUDA C++ of who is where: lanes that part, exit and meet again in branches, loops and functions, and what those that
are left do together; warps that hand over to each other; blocks, clusters and grids of up to three dimensions, and not of whole
warps; parameters of any kind. Between them stand keeping.py's statements.

    parting.py SEED KERNELS > program.cu

The program prints `HASH KERNEL` of each kernel; of kernels that are named as arguments every thread's words, too, the last 16 of
which say what each statement left in its registers.
"""
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import keeping  # noqa: E402
from lanes import Lanes  # noqa: E402
from warps import Warps  # noqa: E402

WORDS = 48  # of a thread
KINDS = ['char', 'unsigned char', 'short', 'unsigned', 'int', 'Word', 'float', 'double']
BLOCKS = [(128, 1, 1), (128, 1, 1), (64, 2, 1), (32, 1, 4), (16, 2, 4), (8, 4, 4), (96, 1, 1), (64, 1, 1), (32, 1, 1), (100, 1, 1), (33, 1, 1), (5, 3, 7), (7, 11, 1), (3, 3, 3), (1, 50, 2), (20, 1, 1)]


class Parting(Lanes, Warps, keeping.Keeping):
    def __init__(self, r, name):
        super().__init__(r, name)
        self.dim = r.choice(BLOCKS)
        self.threads = self.dim[0] * self.dim[1] * self.dim[2]
        self.is_cluster = r.random() < .4
        self.cluster = r.choice([(2, 1, 1), (1, 2, 1), (4, 1, 1), (2, 2, 1), (2, 1, 2), (1, 1, 3), (3, 2, 1), (2, 2, 2), (1, 8, 1)]) if self.is_cluster else (1, 1, 1)
        self.ctas = self.cluster[0] * self.cluster[1] * self.cluster[2]
        more = r.choice([(1, 1, 1), (2, 1, 1), (1, 2, 1), (1, 1, 2)]) if self.ctas < 8 else (1, 1, 1)
        if not self.is_cluster:
            more = r.choice([(1, 1, 1), (4, 1, 1), (2, 2, 1), (1, 3, 2), (2, 3, 2), (1, 1, 5)])
        self.grid = tuple(a * b for a, b in zip(self.cluster, more))
        self.blocks = self.grid[0] * self.grid[1] * self.grid[2]
        self.is_cooperative = not self.is_cluster and r.random() < .3
        self.is_fixed = r.random() < .5  # the kernel says its cluster's size itself
        self.whole = self.threads % 32 == 0
        self.level = 2 if self.dim == (128, 1, 1) else 1 if self.whole else 0
        self.here, self.block, self.may_leave, self.slots, self.nested = '~0u' if self.whole else 'all', True, r.random() < .35, 0, 0
        self.fields = [('v%d' % n, r.choice(KINDS)) for n in range(r.randrange(2, 9))]

    def repeated(self, pad):
        """A loop or a branch that the block's threads take together."""
        r, v = self.r, self.fresh()
        saved, self.may_leave, self.nested = self.may_leave, False, self.nested + 1
        head = r.choice(['for (unsigned %s = 0; %s < %du; ++%s)' % (v, v, r.randrange(2, 4), v), 'if (__syncthreads_or(%s))' % self.condition()])
        text = '%s%s {\n%s%s}\n' % (pad, head, ''.join(self.statement(pad + '  ') for _ in range(r.randrange(1, 4))), pad)
        self.may_leave, self.nested = saved, self.nested - 1
        return text

    def block_statement(self, pad):
        r = self.r
        choices = [self.swapped] * 2 + [self.rings] * 2 + [self.arrivals] * 2
        if self.nested == 0 and self.slots < 30:
            choices += [self.in_order] * 2 * (self.blocks > 1)
        choices += [self.neighbours] * 6 * self.is_cluster + [self.all_blocks] * 4 * self.is_cooperative
        if self.nested < 2:
            choices += [self.repeated] * 2
        return r.choice(choices)(pad)

    def statement(self, pad):
        r, k = self.r, self.r.random()
        if self.left:
            self.level = 0
        if self.level == 2 and r.random() < .1:  # else soon everything would be a NaN
            return pad + 'for (int n = 0; n < 5; ++n) f[n] = tame(f[n]);\n'
        if k < .06:
            return self.r.choice([self.where, self.given])(pad)
        if self.block and k < .3:
            return self.block_statement(pad)
        if self.level > 0 and self.whole and k < .42:
            return self.r.choice([self.guarded_product, self.chain])(pad)
        if self.here and k < .8:
            return self.lanes_statement(pad)
        saved = self.here, self.block, self.may_leave
        self.here, self.block, self.may_leave = None, False, False
        text = super().statement(pad)
        self.here, self.block, self.may_leave = saved
        return text

    def text(self):
        r = self.r
        statements = ''
        for n in range(r.randrange(4, 13)):
            statements += self.statement('  ') + '  digest(notes + %d, u, f, l, d);\n' % n
        given = 'struct Given_%s { %s unsigned last[8]; };\n' % (self.name, ' '.join('%s %s;' % (kind, name) for name, kind in self.fields))
        cluster = '__cluster_dims__(%d, %d, %d) ' % self.cluster if self.is_cluster and self.is_fixed else ''
        text = given + START.replace('CLUSTER', cluster).replace('THREADS', str(self.threads)).replace('NAME', self.name) + statements
        text = text.replace('END_OF_KERNEL', END)
        return text + ('  asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" : : : "memory");\n' if self.is_cluster else '') + '  { ' + END + ' }\n}\n'

    def entry(self):
        return '{"%s", (const void*)%s, dim3(%d, %d, %d), dim3(%d, %d, %d), dim3(%d, %d, %d), %s, %s}' % (
            self.name, self.name, *self.grid, *self.dim, *self.cluster, 'true' if self.is_cluster and not self.is_fixed else 'false', 'true' if self.is_cooperative else 'false')


def read(name):
    with open(os.path.join(HERE, name)) as file:
        return file.read()


START = '''
__global__ void CLUSTER__launch_bounds__(THREADS) NAME(const Word* in, Word* out, unsigned* cells, const __grid_constant__ Given_NAME given) {
  __shared__ unsigned tile[128], cell, swap[128], other[256], words[128];
  __shared__ __align__(1024) unsigned char room[16384];
  __shared__ __align__(1024) unsigned char own_room[16384];
  __shared__ __align__(8) Word bars[4];
  unsigned table[8], u[5], keep[16];
  float f[5];
  double d[3];
  Word l[3];
  __half h[3];
  __nv_bfloat16 b[2];
  __half2 p[2];
  __nv_bfloat162 q[2];
  i128 i[2];
  const Word* base = in;
  const unsigned tid = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x, lane = tid & 31, warp = tid >> 5;
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x, thread = block * 128 + tid;
  const unsigned bar = (unsigned)__cvta_generic_to_shared(bars), all = THREADS - warp * 32 >= 32 ? ~0u : (1u << (THREADS - warp * 32)) - 1;
  unsigned char* mine = (unsigned char*)kept_in_global + thread * 256;
  unsigned* word = words + tid;
  in += thread % 2048, out += thread * 48;
  Word* notes = out + 32;
  for (int n = 0; n < 8; ++n) table[n] = (unsigned)(in[n] >> 7);
  for (int n = 0; n < 5; ++n) u[n] = (unsigned)in[n], f[n] = __uint_as_float((unsigned)in[2100 + n * 7]);
  for (int n = 0; n < 3; ++n) d[n] = __longlong_as_double((long long)in[4200 + 3 * n]), l[n] = in[n + 11], h[n] = __ushort_as_half((unsigned short)in[6300 + n]);
  for (int n = 0; n < 2; ++n) b[n] = __float2bfloat16_rn(f[n + 2]), p[n] = __halves2half2(h[n], h[n + 1]);
  for (int n = 0; n < 2; ++n) q[n] = __halves2bfloat162(b[0], b[1]), i[n] = (i128)l[n] * (i128)(long long)in[n + 40];
  for (unsigned n = tid; n < 16384; n += THREADS) room[n] = (unsigned char)(n * 7 + n / 128);
  for (unsigned n = tid; n < 4096; n += THREADS) ((unsigned*)own_room)[n] = sane((unsigned)in[5] * 0 + n * 40503u);
  for (unsigned n = tid; n < 128; n += THREADS) tile[n] = swap[n] = n, other[n] = other[n + 128] = 3 * n, words[n] = n ^ 77u;
  for (int n = 0; n < 16; ++n) keep[n] = (unsigned)(in[n] >> 9) * (n + 1), ((uint4*)mine)[n] = make_uint4(sane(u[1] + n), sane(u[2] * n), sane(keep[n]), 0x3f803c00u);
  if (bar == 1 || lane + warp + all == 999) cell = tile[0] = (unsigned)base[0], *word = given.last[0];
  __syncthreads();
'''
END = keeping.END.replace('out += thread * 32;', '').rstrip().rstrip('}')


def around(seed, entries):
    """What stands before the kernels of a program, and behind them."""
    head = keeping.HEAD.replace('SEED', str(seed)).replace('kept_in_global[256 * 16]', 'kept_in_global[2048 * 16]')
    return head + read('frame.cuh'), read('../words.cuh') + read('input.cuh') + read('main.cuh').replace('ENTRIES', entries)


if __name__ == '__main__':
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    kernels = [Parting(random.Random(seed * 1000 + n + 21), 'k%d_%d' % (seed, n)) for n in range(count)]
    head, tail = around(seed, ', '.join(k.entry() for k in kernels))
    print(head + ''.join(k.text() for k in kernels) + tail)
