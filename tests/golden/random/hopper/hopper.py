#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes random CUDA C++ of what Hopper does asynchronously: copies by tensor maps, mbarriers, clusters, warpgroups.

    hopper.py SEED KERNELS > program.cu

Every kernel is one cluster. Its statements stand where all its threads come by, between barriers of the cluster; in branches and
loops, too. None has a race: what comes out is determined. The program prints a hash a kernel; of kernels that are named as
arguments also every thread's registers, and after each statement what they made of it.
"""
import os
import random
import sys

from cluster import Cluster
from copies import Copies
from group import Group

HERE = os.path.dirname(os.path.abspath(__file__))
START = '''
__global__ void CLUSTER__launch_bounds__(THREADS, 1) NAME(const __grid_constant__ Maps maps, const char* in, char* scratch, Word* out) {
  unsigned u[6], un = SEEDu, phase0 = 0, phase1 = 0, phase2 = 0;
  Word l[2];
  float f[4];
  const unsigned rank = rank_here(), thread = rank * THREADS + threadIdx.x;
  out += thread * 32;
  for (int n = 0; n < 6; ++n) u[n] = stir(((const unsigned*)in)[thread + n * 1024], n);
  for (int n = 0; n < 2; ++n) l[n] = ((const Word*)in)[thread + 4096 + n * 1024];
  for (int n = 0; n < 4; ++n) f[n] = (float)(int)(u[n] >> 9) * 0.0078125f;
TWICE  init(4, 1);
  init(5, 1);
  init(6, 1);
  meet();
'''
END = '''  u[0] ^= phase0 ^ phase1 << 1 ^ phase2 << 2;
  u[1] ^= un;
  for (int n = 0; n < 6; ++n) out[n] = u[n];
  for (int n = 0; n < 2; ++n) out[6 + n] = l[n], out[8 + n] = (Word)bits(f[n]) << 32 | bits(f[n + 2]);
  meet();
}
'''


class Kernel(Copies, Cluster, Group):
    def __init__(self, r, name):
        self.r, self.name, self.maps, self.count, self.depth, self.slots, self.is_open = r, name, [], 0, 0, 0, False
        self.ctas, self.threads, self.is_fixed = r.choice([1, 2, 2, 4, 4, 8]), r.choice([128, 128, 256, 384]), r.random() < .5
        self.is_twice = r.random() < .2

    def fresh(self):
        self.count += 1
        return 'v%d' % self.count

    def arithmetic(self, pad):
        r = self.r
        a, b, c = (r.randrange(6) for _ in range(3))
        return pad + r.choice(['u[%d] = stir(u[%d], u[%d]);', 'l[0] = l[0] * 3 + u[%d] + l[1] / (u[%d] | 1) + u[%d];', 'f[1] = f[0] * 0.5f + (float)(u[%d] & 255) - f[3]; u[%d] += u[%d];',
                               'l[1] ^= (Word)u[%d] << 20 ^ u[%d] * u[%d];', 'f[2] = (float)(u[%d] >> 8); f[3] = f[2] * f[1] * 1e-7f; u[%d] ^= u[%d] >> 3;']) % (a, b, c) + '\n'

    def statement(self, pad):
        r = self.r
        if self.depth < 2 and r.random() < .12:
            return self.together(pad)
        k = r.random()
        if k < .1:
            return self.arithmetic(pad) + pad + 'un = stir(un, %d);\n' % r.randrange(1000)
        if k < .2 and self.depth == 0 and not self.is_open and len(self.maps) < 16:
            self.is_open = True
            begin, end = self.loads(pad, True)
            between = ''.join(self.statement(pad) for _ in range(r.randrange(1, 4)))
            self.is_open = False
            return begin + between + end
        if k < .45 and len(self.maps) < 20:
            return r.choice([self.loads] * 3 + [self.stores] * 3 + [self.bulk_in, self.bulk_out, self.bulk_across, self.there_and_back])(pad)
        if k < .75:
            return r.choice([self.remote_access] * 3 + [self.remote_red] + [self.sends] * 2 + [self.life] * 2 + [self.arrivals, self.matrices, self.copies_arrive, self.sums_meet])(pad)
        return r.choice([self.group] * 3 + [self.fed] * 2)(pad) if len(self.maps) < 20 else self.group(pad)

    def together(self, pad):
        r = self.r
        self.depth += 1
        body = ''.join(self.statement(pad + '  ') for _ in range(r.randrange(1, 3)))
        if r.random() < .5:
            text = '%sif (un >> %d & 1) {\n%s%s}\n' % (pad, r.randrange(20), body, pad)
        else:
            i = self.fresh()
            text = '%sfor (unsigned %s = 0; %s < (un & 1) + %d; ++%s) {\n%s%s  un = stir(un, %s) & ~1u;\n%s}\n' % (pad, i, i, r.randrange(1, 3), i, body, pad, i, pad)
        self.depth -= 1
        return text

    def text(self):
        cluster = '__cluster_dims__(%d, 1, 1) ' % self.ctas if self.is_fixed else ''
        text = START.replace('TWICE', '  asm volatile("griddepcontrol.launch_dependents; griddepcontrol.wait;" : : : "memory");\n  u[5] = absorb((const unsigned char*)scratch + rank * kScratch, 8192, u[5]);\n' if self.is_twice else '').replace('CLUSTER', cluster).replace('THREADS', str(self.threads)).replace('NAME', self.name).replace('SEED', str(self.r.randrange(1 << 32)))
        for n in range(self.r.randrange(3, 10)):
            text += self.statement('  ') + '  note(out, %d, u, l, f);\n' % n
        text += END
        maps = 'static bool maps_%s(Maps& maps, char* in, char* scratch) {\n  (void)maps, (void)in, (void)scratch;\n  return %s;\n}\n' % (
            self.name, '\n    && '.join(self.maps) or 'true')
        return text, maps

    def entry(self):
        return '{"%s", (const void*)%s, maps_%s, %d, %d, %s, %d}' % (
            self.name, self.name, self.name, self.ctas, self.threads, 'true' if self.is_fixed else 'false', 2 if self.is_twice else 1)


def read(name):
    with open(os.path.join(HERE, name)) as file:
        return file.read()


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    kernels = [Kernel(random.Random(seed * 1000 + n), 'k%d_%d' % (seed, n)) for n in range(count)]
    texts = [k.text() for k in kernels]
    head, rest = read('frame.cuh'), read('../words.cuh') + read('main.cuh')
    before, after = rest.split('static const Entry kAll', 1)
    print(head + ''.join(t for t, _ in texts) + before + ''.join(m for _, m in texts) + 'static const Entry kAll' + after.replace('ENTRIES', ', '.join(k.entry() for k in kernels)))


if __name__ == "__main__":
    main()
