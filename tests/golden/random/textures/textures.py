#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes random CUDA C++ that fetches from textures and reads and writes surfaces: every shape, format, filter and address mode, by objects
that differ from lane to lane, in branches, loops and functions, at places that earlier fetches gave.

    textures.py SEED KERNELS > program.cu        nvcc -I FOLDER_OF_THIS -cudart shared -gencode arch=compute_90a,code=[compute_90a,sm_90a]

The program prints `HASH NAME` of every kernel, or, given a kernel's name, all its words: what its registers
were at first and behind each statement. What a kernel writes to is not what it reads from:
a card promises nothing of that before the next launch.
"""
import random
import sys

REAL, WHOLE, SIGNED = ['float', 'float2', 'float4'], ['unsigned', 'uint2', 'uint4', 'uchar4', 'ushort2', 'unsigned char', 'ushort4', 'unsigned short'], ['int', 'int2', 'int4', 'char4', 'short2', 'signed char', 'short']
FETCHES = [('k1', 'tex1D', 'x'), ('k2', 'tex2D', 'xy'), ('k3', 'tex3D', 'xyz'), ('k1l', 'tex1DLayered', 'xl'), ('k2l', 'tex2DLayered', 'xyl'), ('kCube', 'texCubemap', 'ccc'),
           ('kCubes', 'texCubemapLayered', 'cccl'), ('kLinear', 'tex1Dfetch', 'i'), ('kPitch', 'tex2D', 'xy'), ('kMip1', 'tex1DLod', 'xv'), ('kMip2', 'tex2DLod', 'xyv'),
           ('kMip3', 'tex3DLod', 'xyzv'), ('kMip2l', 'tex2DLayeredLod', 'xylv'), ('k1', 'tex1DLod', 'xv'), ('k3', 'tex3DLod', 'xyzv'), ('k2l', 'tex2DLayeredLod', 'xylv'),
           ('kMip2', 'tex2D', 'xy'), ('kMip3', 'tex3D', 'xyz'), ('kMip2l', 'tex2DLayered', 'xyl'), ('k1', 'tex1DGrad', 'xxx'), ('k2', 'tex2DGrad', 'xygg'), ('k3', 'tex3DGrad', 'xyzGG'),
           ('k2l', 'tex2DLayeredGrad', 'xylgg')]
RESIDENT = {'tex2D', 'tex3D', 'tex2DLayered', 'tex2DLod', 'tex3DLod', 'tex2DLayeredLod'}
SURFACES = [('s1', 'surf1D', ''), ('s2', 'surf2D', 'y'), ('s3', 'surf3D', 'yz'), ('s1l', 'surf1DLayered', 'z'), ('s2l', 'surf2DLayered', 'yz'), ('sCube', 'surfCubemap', 'Yf')]
TEXELS = {1: ['unsigned char', 'signed char'], 2: ['unsigned short', 'uchar2', 'short'], 4: ['unsigned', 'float', 'ushort2', 'uchar4', 'int'], 8: ['uint2', 'float2', 'ushort4', 'Word'], 16: ['uint4', 'float4']}


class Textures:
    def __init__(self, r, name):
        self.r, self.name, self.depth, self.count = r, name, 0, 0

    def u(self):
        return 'u[%d]' % self.r.randrange(4)

    def place(self, letter):
        r = self.r
        one = lambda: r.choice(['place(%s)' % self.u()] * 4 + ['f[%d]' % r.randrange(4), '(float)(%s & 31)' % self.u(), '%.4ff' % r.uniform(-2, 20)])
        if letter in 'xyz':
            return one()
        if letter == 'c':  # a part of a direction
            return r.choice(['(float)(int)(%s >> 16 & 63) - 31.5f' % self.u(), '(float)(int)(%s & 15) - 8.0f' % self.u(), 'f[%d]' % r.randrange(4)])
        if letter == 'l':
            return '(int)(%s %% %du) - %d' % (self.u(), r.choice([3, 5, 9]), r.choice([0, 1]))
        if letter == 'i':
            return '(int)(%s %% %du)' % (self.u(), r.choice([64, 64, 140]))
        if letter == 'v':
            return r.choice(['(float)(%s & 31) * 0.125f - 0.5f' % self.u(), '%d.0f' % r.randrange(4), 'f[%d]' % r.randrange(4), '%.3ff' % r.uniform(-1, 4)])
        return 'make_float%d(%s)' % (2 if letter == 'g' else 4, ', '.join(['%.2ff' % r.uniform(0, 3) for _ in range(2)] + (['0.5f', '0.0f'] if letter == 'G' else [])))

    def keep(self, kind, v):
        """What a texel has, into the registers."""
        r = self.r
        n = int(kind[-1]) if kind[-1].isdigit() else 1
        text = ''
        for part in (['.' + p for p in 'xyzw'[:n]] if n > 1 else ['']):
            value = v + part
            if kind.startswith('float'):
                text += r.choice([' f[%d] = tame(%s);', ' f[%d] += tame(%s) * 0.5f;']) % (r.randrange(4), value) if r.random() < .5 else ' %s ^= bits(%s);' % (self.u(), value)
            else:
                text += ' %s %s (unsigned)%s;' % (self.u(), r.choice(['=', '^=', '+=']), value)
        return text

    def fetch(self, pad):
        r = self.r
        shape, name, letters = r.choice(FETCHES)
        kind, types = r.choice([('kReal', REAL), ('kReal', REAL), ('kUnsigned', WHOLE), ('kSigned', SIGNED)])
        t, at = r.choice(types), 't[texture(%s, %s) + %s]' % (shape, kind, r.choice(['%d' % r.randrange(4), '(%s & 3)' % self.u(), '(%s >> 9 & 1) * 2' % self.u(), '(blockIdx.x + %d & 3)' % r.randrange(4)]))
        self.count += 1
        v, args = 'v%d' % self.count, [self.place(letter) for letter in letters]
        if name in RESIDENT and r.random() < .1:
            return '%s{ bool there; const %s %s = %s<%s>(%s, %s, &there); u[0] += there;%s }\n' % (pad, t, v, name, t, at, ', '.join(args), self.keep(t, v))
        return '%s{ const %s %s = %s<%s>(%s, %s);%s }\n' % (pad, t, v, name, t, at, ', '.join(args), self.keep(t, v))

    def gather(self, pad):
        r = self.r
        kind, t = r.choice([('kReal', 'float4'), ('kUnsigned', 'uint4'), ('kSigned', 'int4')])
        self.count += 1
        return '%s{ const %s v%d = tex2Dgather<%s>(t[texture(k2, %s) + (%s & 3)], %s, %s, %d);%s }\n' % (
            pad, t, self.count, t, kind, self.u(), self.place('x'), self.place('y'), r.randrange(4), self.keep(t, 'v%d' % self.count))

    def by_function(self, pad):
        return pad + self.r.choice(['f[%d] = around(t[texture(k2, kReal) + (%s & 3)], %s, %s);\n' % (self.r.randrange(4), self.u(), self.place('x'), self.place('y')),
                                    '%s ^= along(t[texture(kLinear, kUnsigned) + (%s & 3)], %s & 31, %s & 7);\n' % (self.u(), self.u(), self.u(), self.u())])

    def surface_read(self, pad):
        r = self.r
        (shape, name, letters), size = r.choice(SURFACES), r.choice([1, 2, 4, 8, 16])
        t, outside = r.choice([t for t in TEXELS[size] if t != 'Word']), r.random() < .6
        x = '(int)(%s %% %du) * %d' % (self.u(), r.choice([256, 300]) if outside else 256, size)
        if outside and r.random() < .5:
            x = '((int)(%s %% 300u) - 20) * %d' % (self.u(), size)
        at = [{'y': '(int)(%s & %d)' % (self.u(), 7 if outside else 3), 'z': '(int)(%s %% %du)' % (self.u(), 5 if outside and shape == 's3' else 3), 'Y': '(int)(%s & 255)' % self.u(), 'f': '(int)(%s %% 6u)' % self.u()}[c] for c in letters]
        self.count += 1
        return '%s{ const %s v%d = %sread<%s>(s->read[surface(%s, %d)], %s, cudaBoundaryMode%s); WHOLE(v%d);%s }\n' % (
            pad, t, self.count, name, t, shape, size, ', '.join([x] + at), r.choice(['Clamp', 'Zero']) if outside else 'Trap', self.count, self.keep(t, 'v%d' % self.count))

    def surface_write(self, pad):
        r = self.r
        (shape, name, letters), size = r.choice(SURFACES), r.choice([1, 2, 4, 8, 16])
        t = r.choice([t for t in TEXELS[size] if t != 'Word'])
        n = int(t[-1]) if t[-1].isdigit() else 1
        one = lambda: 'f[%d]' % r.randrange(4) if 'float' in t else '(%s)%s' % ({'u': 'unsigned', 'i': 'int', 's': 'short'}[t[0]] if n == 1 else {'uint': 'unsigned', 'usho': 'unsigned short', 'ucha': 'unsigned char'}[t[:4]], self.u())
        value = 'make_%s(%s)' % (t, ', '.join(one() for _ in range(n))) if n > 1 else one()
        outside = r.random() < .3  # beyond the edge nothing is written
        x = '(int)(thread + (%s & 1) * 1000) * %d' % (self.u(), size) if outside else '(int)thread * %d' % size
        at = [{'y': '(int)(%s & %d)' % (self.u(), 7 if outside else 3), 'z': '(int)(%s %% 3u)' % self.u(), 'Y': '(int)(%s & 255)' % self.u(), 'f': '(int)(%s %% 6u)' % self.u()}[c] for c in letters]
        return '%s%swrite<%s>(%s, s->written[surface(%s, %d)], %s, cudaBoundaryMode%s);\n' % (pad, name, t, value, shape, size, ', '.join([x] + at), 'Zero' if outside else r.choice(['Trap', 'Clamp', 'Zero']))

    def mixed(self, pad):
        r = self.r
        return pad + r.choice(['%s = %s * 2654435761u + %s;\n' % (self.u(), self.u(), self.u()), '%s ^= bits(f[%d]);\n' % (self.u(), r.randrange(4)), 'f[%d] = f[%d] * 0.75f - f[%d];\n' % tuple(r.randrange(4) for _ in range(3)),
                               '%s = __shfl_xor_sync(__activemask(), %s, 0);\n' % (self.u(), self.u())])

    def statement(self, pad='  '):
        r, k = self.r, self.r.random()
        if k < .2 and self.depth < 3:
            self.depth, self.count = self.depth + 1, self.count + 1
            body = ''.join(self.statement(pad + '  ') for _ in range(r.randrange(1, 4)))
            self.depth -= 1
            head = r.choice(['if (%s & %d)' % (self.u(), r.randrange(1, 8)), 'if (f[%d] < f[%d])' % (r.randrange(4), r.randrange(4)), 'for (unsigned round%d = %s & 3; round%d > 0; --round%d)' % (self.count, self.u(), self.count, self.count),
                             'switch (%s & 3) case 1: case 2:' % self.u()])
            return '%s%s {\n%s%s}\n' % (pad, head, body, pad)
        return r.choice([self.fetch] * 9 + [self.gather, self.by_function] + [self.surface_read] * 3 + [self.surface_write] * 4 + [self.mixed] * 3)(pad)


HEAD = r'''// random fetches from textures, seed SEED
#include "frame.cuh"
__noinline__ __device__ float around(cudaTextureObject_t t, float x, float y) { return tex2D<float>(t, x + 0.5f, y) - tex2D<float>(t, x, y + 0.5f) * 0.5f; }
__noinline__ __device__ unsigned along(cudaTextureObject_t t, unsigned from, unsigned count) { unsigned sum = 0; for (unsigned n = 0; n < count; ++n) sum = sum * 3 + tex1Dfetch<unsigned>(t, (int)(from + n)); return sum; }
'''
START = '''
__global__ void NAME(const Objects* s, const Word* in, Word* out) {
  const cudaTextureObject_t* t = s->textures;
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned u[4];
  float f[4];
  out += thread * kWords;
  for (int n = 0; n < 4; ++n) u[n] = (unsigned)in[thread * 4 + n], f[n] = (float)(int)(in[thread * 4 + n + 2000] >> 40 & 4095) / 128.0f - 4.0f;
  note(out, u, f);
'''
END = '''
}
'''


def main():
    seed, kernels = int(sys.argv[1]), int(sys.argv[2])
    text, entries = HEAD.replace('SEED', str(seed)), []
    for n in range(kernels):
        k = Textures(random.Random(seed * 1000 + n + 9000000), 'k%d_%d' % (seed, n))
        text += START.replace('NAME', k.name) + ''.join('%s  note(out + %d, u, f);\n' % (k.statement(), 4 + 4 * n) for n in range(k.r.randrange(8, 30))) + END
        entries.append('{"%s", %s}' % (k.name, k.name))
    print(text + 'static const Entry kAll[] = {%s};\nint main(int argc, char** argv) { return run_all(kAll, %d, %d, argc, argv); }' % (', '.join(entries), kernels, seed))


if __name__ == '__main__':
    main()
