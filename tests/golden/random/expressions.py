#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes random CUDA C++: kernels of expressions, branches, loops and calls of the device's own functions.

    expressions.py SEED KERNELS > program.cu       nvcc -cudart shared -gencode arch=compute_90a,code=[compute_90a,sm_90a]

The program prints `HASH KERNEL` of each kernel: the same on a card and under `lanescope run`. With kernels
named behind it, it prints their threads' words instead. NaNs are all one where they are written: which
bits one has is the compiler's choice of operands. No overflow, shift or conversion is left undefined.
"""
import os
import random
import sys

F1 = '''sinf cosf tanf asinf acosf atanf sinhf coshf tanhf asinhf acoshf atanhf expf exp2f exp10f expm1f logf log2f log10f
log1pf sqrtf rsqrtf cbrtf rcbrtf erff erfcf erfinvf erfcinvf erfcxf normcdff normcdfinvf lgammaf tgammaf fabsf floorf ceilf rintf
truncf roundf nearbyintf logbf j0f j1f y0f y1f cyl_bessel_i0f cyl_bessel_i1f sinpif cospif __sinf __cosf __tanf __expf __exp10f __logf
__log2f __log10f __saturatef __frcp_rn __frcp_rz __fsqrt_ru __fsqrt_rd __frsqrt_rn __tanhf'''.split()
F2 = '''powf atan2f hypotf rhypotf fmodf remainderf fminf fmaxf fdimf copysignf nextafterf __powf __fdividef __fadd_rz __fadd_ru
__fsub_rd __fmul_rz __fmul_rn __fdiv_rn __fdiv_rz __fdiv_ru __fadd_rn'''.split()
F3 = 'fmaf __fmaf_rz __fmaf_ru __fmaf_rd norm3df rnorm3df'.split()
D1 = '''sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2 log10 log1p sqrt rsqrt cbrt
rcbrt erf erfc erfinv erfcx normcdf lgamma tgamma fabs floor ceil rint trunc round sinpi cospi j0 y1 __drcp_rn __dsqrt_rz logb'''.split()
D2 = 'pow atan2 hypot fmod remainder fmin fmax fdim copysign nextafter __dadd_rz __dmul_ru __ddiv_rd __ddiv_rn'.split()
U1 = '__clz __ffs __popc __brev __vabs2 __vneg4 __vabsss4'.split()
U2 = '''__umulhi __umul24 __vadd4 __vadd2 __vsub4 __vsub2 __vaddss4 __vaddus2 __vsubss2 __vabsdiffu4 __vabsdiffs2 __vcmpgts4 __vcmpeq2
__vcmpleu4 __vmaxs2 __vminu4 __vavgu4 __vavgs2 __vhaddu2 __vsads4 __vsadu2 __vsetgtu4 __vsetles2 __uhadd __urhadd umin umax __vmaxu2'''.split()
U3 = '__viaddmax_u32 __vimin3_u32 __byte_perm __funnelshift_l __funnelshift_rc __usad __dp4a __dp2a_lo __viaddmax_s16x2 __vimax3_u16x2 __viaddmin_s16x2_relu'.split()
H1 = 'hceil hfloor hrint htrunc hsqrt hrsqrt hrcp hexp hexp2 hexp10 hlog hlog2 hlog10 hsin hcos htanh htanh_approx __hneg __habs'.split()
H2 = '__hadd __hsub __hmul __hadd_rn __hmul_rn __hdiv __hmin __hmax __hadd_sat __hmul_sat __hmin_nan'.split()
P2 = '__hadd2 __hsub2 __hmul2 __h2div __hmin2 __hmax2 __hadd2_sat __hmul2_rn'.split()


class Kernel:
    def __init__(self, rnd, name):
        self.r, self.name, self.depth, self.loops, self.count = rnd, name, 0, 0, 0

    def pick(self, what):
        return '%s[%d]' % (what, self.r.randrange({'f': 5, 'd': 3, 'u': 5, 'l': 3, 'h': 3, 'b': 2, 'p': 2}[what]))

    def pair(self, functions, what):
        """Of two different ones: the greater of a number and itself is made a mov, which quiets no NaN."""
        one = two = self.pick(what)
        while two == one:
            two = self.pick(what)
        return '%s(%s, %s)' % (self.r.choice(functions), one, two)

    def f(self, deep=2):
        r = self.r
        if deep == 0 or r.random() < .25:
            return r.choice([self.pick('f')] * 5 + ['%sf' % r.choice(['1.5', '-0.25', '3.0', '1e-3', '7.25', '100.0', '-2.0'])])
        n = lambda: self.f(deep - 1)
        k = r.randrange(12)
        if k < 4:
            return '(%s %s %s)' % (n(), r.choice('+-*+-*/'), n())
        if k < 6:
            return '%s(%s)' % (r.choice(F1), n())
        if k == 6:
            return '%s(%s, %s)' % (r.choice(F2), n(), n())
        if k == 7:
            return '%s(%s, %s, %s)' % (r.choice(F3), n(), n(), n())
        if k == 8:
            return r.choice(['__uint2float_rn(%s)', '__int2float_rz((int)%s)', '(float)(%s & 1023)', '__uint2float_ru(%s)']) % self.u(deep - 1)
        if k == 9:
            return r.choice(['__double2float_rn(%s)', '__double2float_rz(%s)', '(float)(%s)']) % self.d(deep - 1)
        if k == 10:
            return '(%s < %s ? %s : %s)' % (n(), n(), n(), n())
        return r.choice(['__half2float(%s)', '(float)%s']) % self.pick('h')

    def d(self, deep=1):
        r = self.r
        if deep == 0 or r.random() < .3:
            return self.pick('d')
        n = lambda: self.d(deep - 1)
        k = r.randrange(8)
        if k < 3:
            return '(%s %s %s)' % (n(), r.choice('+-*/'), n())
        if k < 5:
            return '%s(%s)' % (r.choice(D1), n())
        if k == 5:
            return '%s(%s, %s)' % (r.choice(D2), n(), n())
        if k == 6:
            return 'fma(%s, %s, %s)' % (n(), n(), n())
        return r.choice(['(double)%s' % self.pick('f'), '__ll2double_rn((long long)%s)' % self.pick('l'), '__uint2double_rn(%s)' % self.pick('u')])

    def u(self, deep=2):
        r = self.r
        if deep == 0 or r.random() < .25:
            return r.choice([self.pick('u')] * 5 + ['%du' % r.choice([1, 3, 255, 65535, 0x80000000, 0x55555555])])
        n = lambda: self.u(deep - 1)
        k = r.randrange(14)
        if k < 4:
            return '(%s %s %s)' % (n(), r.choice('+-*&|^'), n())
        if k == 4:
            return r.choice(['(%s / (%s | 1u))', '(%s %% (%s | 1u))', '(unsigned)((int)(%s >> 1) / (int)((%s >> 2) | 1u))', '(unsigned)((int)(%s >> 1) %% -(int)((%s >> 3) | 1u))']) % (n(), n())
        if k == 5:
            return r.choice(['(%s << (%s & 31))', '(%s >> (%s & 31))', '(unsigned)((int)%s >> (%s & 31))']) % (n(), n())
        if k == 6:
            return '(unsigned)%s(%s)' % (r.choice(U1), n())
        if k == 7:
            return '(unsigned)%s(%s, %s)' % (r.choice(U2), n(), n())
        if k == 8:
            return '(unsigned)%s(%s, %s, %s)' % (r.choice(U3), n(), n(), n())
        if k == 9:
            return r.choice(['__float2uint_rz(%s)', '(unsigned)__float2int_rn(%s)', '(unsigned)__float2int_rd(%s)', 'bits(%s)', '__float2uint_ru(%s)']) % self.f(deep - 1)
        if k == 10:
            return '(unsigned)%s' % r.choice([self.pick('l'), '(%s >> 32)' % self.pick('l'), '(unsigned char)%s' % self.pick('u'), '(short)%s' % self.pick('u')])
        if k == 11:
            return '(%s %s %s ? %s : %s)' % (n(), r.choice(['<', '>=', '==', '!=']), n(), n(), n())
        if k == 12:
            return '(unsigned)((signed char)(%s >> 8))' % n()
        return '__float_as_uint(one(%s))' % self.pick('f')

    def l(self, deep=1):
        r = self.r
        if deep == 0 or r.random() < .3:
            return self.pick('l')
        n = lambda: self.l(deep - 1)
        return r.choice([
            lambda: '(%s %s %s)' % (n(), r.choice('+-*&|^'), n()),
            lambda: '(%s / (%s | 1ull))' % (n(), n()),
            lambda: '(unsigned long long)((long long)%s %% (long long)((%s >> 1) | 1ull))' % (n(), n()),
            lambda: '((unsigned long long)%s * %s)' % (self.pick('u'), self.pick('u')),
            lambda: '(%s << (%s & 63))' % (n(), self.pick('u')),
            lambda: '(unsigned long long)((long long)%s >> (%s & 63))' % (n(), self.pick('u')),
            lambda: '__umul64hi(%s, %s)' % (n(), n()),
            lambda: '(unsigned long long)__mul64hi((long long)%s, (long long)%s)' % (n(), n()),
            lambda: '(unsigned long long)__double2ll_rz(%s)' % self.pick('d'),
            lambda: '__float2ull_rn(%s)' % self.pick('f'),
            lambda: '(unsigned long long)__clzll((long long)%s) + __popcll(%s)' % (n(), n()),
            lambda: '__brevll(%s)' % n()])()

    def statement(self, pad):
        r = self.r
        k = r.randrange(20)
        if k < 4:
            return '%s%s = %s;\n' % (pad, self.pick('f'), self.f(3))
        if k < 7:
            return '%s%s = %s;\n' % (pad, self.pick('u'), self.u(3))
        if k == 7:
            return '%s%s = %s;\n' % (pad, self.pick('d'), self.d(2))
        if k == 8:
            return '%s%s = %s;\n' % (pad, self.pick('l'), self.l(2))
        if k == 9:
            h = self.pick('h')
            return '%s%s = %s;\n' % (pad, h, r.choice(['%s(%s)' % (r.choice(H1), self.pick('h')), self.pair(H2, 'h'),
                                                      '__hfma(%s, %s, %s)' % (self.pick('h'), self.pick('h'), self.pick('h')), '__float2half_rn(%s)' % self.f(1),
                                                      '%s * %s + %s' % (self.pick('h'), self.pick('h'), self.pick('h')), '__uint2half_rn(%s)' % self.pick('u')]))
        if k == 10:
            return '%s%s = %s;\n' % (pad, self.pick('p'), r.choice([self.pair(P2, 'p'), '__hfma2(%s, %s, %s)' % (self.pick('p'), self.pick('p'), self.pick('p')),
                                                                   'h2exp2(%s)' % self.pick('p'), '__floats2half2_rn(%s, %s)' % (self.f(1), self.f(1)), '__lows2half2(%s, %s)' % (self.pick('p'), self.pick('p'))]))
        if k == 11:
            return '%s%s = %s;\n' % (pad, self.pick('b'), r.choice(['__float2bfloat16_rn(%s)' % self.f(1), '__hadd(%s, %s)' % (self.pick('b'), self.pick('b')), '__hfma(%s, %s, %s)' % (self.pick('b'), self.pick('b'), self.pick('b')), '%s * %s' % (self.pick('b'), self.pick('b')), 'hexp2(%s)' % self.pick('b')]))
        if k == 12:
            return '%stable[%s & 7] = %s;\n' % (pad, self.pick('u'), self.u(1)) + '%s%s ^= table[%s & 7];\n' % (pad, self.pick('u'), self.pick('u'))
        if k == 13 and self.depth == 0:
            return pad + r.choice(['%s = __shfl_xor_sync(~0u, %s, %d);' % (self.pick('u'), self.pick('u'), r.randrange(1, 32)),
                                   '%s = __shfl_down_sync(~0u, %s, %d, 16);' % (self.pick('f'), self.pick('f'), r.randrange(1, 16)),
                                   '%s = __shfl_sync(~0u, %s, %s & 31);' % (self.pick('d'), self.pick('d'), self.pick('u')),
                                   '%s = __ballot_sync(~0u, %s > %s);' % (self.pick('u'), self.pick('f'), self.pick('f')),
                                   '%s = __reduce_add_sync(~0u, %s);' % (self.pick('u'), self.pick('u')),
                                   '%s = __match_any_sync(~0u, %s & 3);' % (self.pick('u'), self.pick('u')),
                                   '__syncthreads(); tile[threadIdx.x] = %s; __syncthreads(); %s = tile[(threadIdx.x * 5 + %d) & 63];' % (self.pick('u'), self.pick('u'), r.randrange(64)),
                                   '__syncthreads(); if (threadIdx.x == 0) cell = 0; __syncthreads(); atomicAdd(&cell, %s); __syncthreads(); %s = cell;' % (self.pick('u'), self.pick('u'))]) + '\n'
        if k == 14:
            return '%s%s = helper%d(%s, %s);\n' % (pad, self.pick('f'), r.randrange(3), self.pick('f'), self.pick('u'))
        if k == 15:
            return pad + r.choice(['{ Pair s = turn(Pair{%s, %s}, %s); %s = s.a; %s = s.b; }' % (self.pick('f'), self.pick('u'), self.pick('l'), self.pick('f'), self.pick('u')),
                                   '{ float w; %s = frexpf(%s, (int*)&table[1]); %s = modff(%s, &w); %s = w; }' % (self.pick('f'), self.pick('f'), self.pick('f'), self.pick('f'), self.pick('f')),
                                   '{ float s, c; sincosf(%s, &s, &c); %s = s; %s = c; }' % (self.pick('f'), self.pick('f'), self.pick('f')),
                                   '%s = ldexpf(%s, (int)(%s & 15) - 8);' % (self.pick('f'), self.pick('f'), self.pick('u')),
                                   '%s = recursive(%s, blockIdx.x + %d & 7);' % (self.pick('u'), self.pick('u'), r.randrange(8))]) + '\n'
        if k < 18 and self.depth < 3:
            self.depth += 1
            body = lambda: ''.join(self.statement(pad + '  ') for _ in range(r.randrange(1, 4)))
            text = '%sif (%s) {\n%s%s}' % (pad, r.choice(['%s < %s' % (self.pick('f'), self.pick('f')), '%s & %d' % (self.pick('u'), r.randrange(1, 8)), '%s > %s' % (self.pick('u'), self.pick('u'))]), body(), pad)
            if r.random() < .5:
                text += ' else {\n%s%s}' % (body(), pad)
            self.depth -= 1
            return text + '\n'
        if k >= 16 and self.depth >= 3:
            return '%s%s = %s;\n' % (pad, self.pick('f'), self.f(2))
        if k == 18 and self.loops < 2:
            self.loops, self.depth, self.count = self.loops + 1, self.depth + 1, self.count + 1
            i = 'i%d' % self.count
            bound = r.choice(['(%s & 7)' % self.pick('u'), '%d' % r.randrange(2, 9)])
            # the bound is taken once: what the body does to it does not matter
            text = '%sfor (unsigned %s = 0, n%s = %s; %s < n%s; ++%s) {\n' % (pad, i, i, bound, i, i, i)
            text += ''.join(self.statement(pad + '  ') for _ in range(r.randrange(1, 4)))
            text += '%s  %s += %s;\n' % (pad, self.pick('u'), i)
            if r.random() < .4:
                text += '%s  if (%s & 1) %s;\n' % (pad, self.pick('u'), r.choice(['break', 'continue']))
            self.loops, self.depth = self.loops - 1, self.depth - 1
            return text + pad + '}\n'
        self.depth += 1
        text = '%sswitch (%s %% 5) {\n' % (pad, self.pick('u'))
        for n in range(4):
            text += '%s  case %d:\n%s' % (pad, n, self.statement(pad + '    '))
            if r.random() < .8:
                text += pad + '    break;\n'
        self.depth -= 1
        return text + pad + '}\n'


HEAD = r'''// random CUDA C++, seed SEED
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cstdio>
#include <cstring>
#include <vector>
typedef unsigned long long Word;
struct Pair { float a; unsigned b; };
__device__ unsigned bits(float f) { return f != f ? 0x7fffffffu : __float_as_uint(f); }
__device__ Word bits(double d) { return d != d ? 0x7fffffffffffffffull : (Word)__double_as_longlong(d); }
__device__ float one(float f) { return f != f ? 1.0f : f; }
__noinline__ __device__ float helper0(float f, unsigned u) { return f * 1.25f - (float)(u & 255); }
__noinline__ __device__ float helper1(float f, unsigned u) { return u & 1 ? sinf(f) * f + 2.0f : f / 3.0f; }
__noinline__ __device__ float helper2(float f, unsigned u) { float s = 0; for (unsigned k = 0; k < (u & 7); ++k) s = s * f + (float)k; return s; }
__noinline__ __device__ Pair turn(Pair p, Word w) { return Pair{p.a * (float)(w & 15) - 1.0f, p.b ^ (unsigned)(w >> 16)}; }
__noinline__ __device__ unsigned recursive(unsigned u, unsigned depth) { return depth == 0 ? u : recursive(u * 3u + depth, depth - 1) ^ (u >> 1); }
'''
START = '''
__global__ void NAME(const Word* in, Word* out) {
  __shared__ unsigned tile[64], cell;
  unsigned table[8], u[5];
  float f[5];
  double d[3];
  Word l[3];
  __half h[3];
  __nv_bfloat16 b[2];
  __half2 p[2];
  const unsigned thread = blockIdx.x * 64 + threadIdx.x;
  in += thread % 2048;
  for (int n = 0; n < 8; ++n) table[n] = (unsigned)(in[n] >> 7);
  for (int n = 0; n < 5; ++n) u[n] = (unsigned)in[n], f[n] = __uint_as_float((unsigned)in[2100 + n * 7]);
  for (int n = 0; n < 3; ++n) d[n] = __longlong_as_double((long long)in[4200 + 3 * n]), l[n] = in[n + 11], h[n] = __ushort_as_half((unsigned short)in[6300 + n]);
  for (int n = 0; n < 2; ++n) b[n] = __float2bfloat16_rn(f[n + 2]), p[n] = __halves2half2(h[n], h[n + 1]);
'''
END = '''
  out += thread * 24;
  for (int n = 0; n < 5; ++n) out[n] = u[n], out[5 + n] = bits(f[n]);
  for (int n = 0; n < 3; ++n) out[10 + n] = bits(d[n]), out[13 + n] = l[n], out[16 + n] = __half_as_ushort(h[n]);
  for (int n = 0; n < 2; ++n) out[19 + n] = __bfloat16_as_ushort(b[n]), out[21 + n] = __half_as_ushort(__low2half(p[n])) | (unsigned)__half_as_ushort(__high2half(p[n])) << 16;
  Word t = 0;
  for (int n = 0; n < 8; ++n) t = t * 31 + table[n];
  out[23] = t;
}
'''
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'words.cuh')) as file:
    WORDS = file.read()
MAIN = WORDS + r'''
typedef void (*Kernel)(const Word*, Word*);
struct Entry { const char* name; Kernel kernel; };
static const Entry kAll[] = {ENTRIES};
int main(int argc, char** argv) {
  std::vector<Word> in(8500), out(256 * 24);
  for (int n = 0; n < 8500; ++n) {
    Word w = next();
    const unsigned how = (unsigned)(w >> 60);
    if (n < 2100) in[n] = how < 3 ? w & 255 : how < 5 ? ~(w & 7) : w;
    else if (n < 4200) { unsigned e = how < 10 ? 120 + (unsigned)(w >> 50) % 14 : how < 14 ? (unsigned)(w >> 50) % 255 : how == 14 ? 255 : 0; in[n] = (w & 0x807fffff) | e << 23; if (how == 13) in[n] &= 0xffff0000; }
    else if (n < 6300) { Word e = how < 11 ? 1016 + (w >> 50) % 16 : how < 14 ? (w >> 48) % 2047 : how == 14 ? 2047 : 0; in[n] = (w & 0x800fffffffffffffull) | e << 52; }
    else in[n] = how < 12 ? (w & 0x8fff) | 0x3000 : w & 0xffff;
  }
  Word *din, *dout;
  cudaMalloc(&din, in.size() * 8);
  cudaMalloc(&dout, out.size() * 8);
  cudaMemcpy(din, in.data(), in.size() * 8, cudaMemcpyHostToDevice);
  for (const Entry& e : kAll) {
    bool wanted = argc == 1;
    for (int n = 1; n < argc; ++n) wanted = wanted || std::strcmp(argv[n], e.name) == 0;
    if (!wanted) continue;
    cudaMemset(dout, 0, out.size() * 8);
    e.kernel<<<4, 64>>>(din, dout);
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) return std::printf("FAILED %s %s\n", e.name, cudaGetErrorString(error)), 1;
    cudaMemcpy(out.data(), dout, out.size() * 8, cudaMemcpyDeviceToHost);
    std::printf("%016llx %s\n", hash_of(out.data(), out.size() * 8), e.name);
    if (argc > 1)
      for (int n = 0; n < 256 * 24; ++n) std::printf("%s%llx%s", n % 24 ? " " : "~ ", out[n], n % 24 == 23 ? "\n" : "");
    std::fflush(stdout);
  }
}
'''


def write(kernel, salt, statements, head, start, end, main):
    """A program of as many random kernels as asked for, of a class of kernels; `statements`: range of how many each has."""
    seed, kernels = int(sys.argv[1]), int(sys.argv[2])
    text, entries = head.replace('SEED', str(seed)), []
    for n in range(kernels):
        k = kernel(random.Random(seed * 1000 + n + salt), 'k%d_%d' % (seed, n))
        text += start.replace('NAME', k.name) + ''.join(k.statement('  ') for _ in range(k.r.randrange(*statements))) + end
        entries.append('{"%s", %s}' % (k.name, k.name))
    print(text + main.replace('ENTRIES', ', '.join(entries)))


if __name__ == "__main__":
    write(Kernel, 0, (4, 12), HEAD, START, END, MAIN)
