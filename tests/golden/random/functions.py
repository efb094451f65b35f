#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a random program that calls what the toolkit's headers declare: every function of numbers of math_functions, device_functions,
cuda_fp16, cuda_bf16, cuda_fp8, cuda_fp6, cuda_fp4 and of the intrinsics, with each other's results and with constants, in branches and loops.

    functions.py SEED KERNELS > program.cu       nvcc -cudart shared -gencode arch=compute_90a,code=[compute_90a,sm_90a]

It reads the prototypes in the headers beside nvcc. Like expressions.py's, the program prints `HASH NAME` of every kernel, or, given a
kernel's name, all its words.
"""
import os
import random
import re
import shutil
import sys

HEADERS = ['crt/math_functions.h', 'crt/device_functions.h', 'crt/device_double_functions.h', 'sm_61_intrinsics.h', 'cuda_fp16.h', 'cuda_bf16.h',
           'cuda_fp8.h', 'cuda_fp6.h', 'cuda_fp4.h', 'sm_20_intrinsics.h']
AWAY = re.compile(r'sync|thread|prof|trap|brkpt|nanosleep|clock|malloc|free|mem(cpy|set)|printf|assert|__ld|__st|isGlobal|isShared|isLocal|isConstant|isGridConst|cvta|'
                  r'genericTo|ToGeneric|__pipeline|atomic|__nv_associate|activemask|all$|any$|ballot|__any|__all|make_|^(isfinite|isnan|isinf|signbit)$|__(finite|isinf|isnan|signbit)[fl]?d?$|'
                  r'^abs$|^labs$|^llabs$|^div$|alloca|^std|__tex|pow10|lgamma_r|gamma_r|drem|significand|^[jy]n|^r?normf?$|^_[A-Za-z]|BITS$|__isfinite|__gnu|^nan|[lL]$|^__host|operator|exp10l|cbrtl')
NUMBERS = {'float': 'f', 'double': 'd', '__half': 'h', '__half2': 'g', '__nv_bfloat16': 'b', '__nv_bfloat162': 'c'}
WHOLE = {'int': 'u', 'unsigned int': 'u', 'unsigned': 'u', 'short int': 'q', 'short': 'q', 'unsigned short int': 'q', 'unsigned short': 'q', 'char': 'u', 'signed char': 'u',
         'unsigned char': 'u', 'long long int': 'l', 'long long': 'l', 'unsigned long long int': 'l', 'unsigned long long': 'l', 'long int': 'l', 'unsigned long int': 'l', 'size_t': 'l',
         'bool': 'u', '__nv_fp8_storage_t': 'u', '__nv_fp8x2_storage_t': 'u', '__nv_fp8x4_storage_t': 'u', '__nv_fp6_storage_t': 'u', '__nv_fp6x2_storage_t': 'u', '__nv_fp6x4_storage_t': 'u',
         '__nv_fp4_storage_t': 'u', '__nv_fp4x2_storage_t': 'u', '__nv_fp4x4_storage_t': 'u', 'uint16_t': 'q', 'uint32_t': 'u'}
CHOICES = {'__nv_saturation_t': ['__NV_NOSAT', '__NV_SATFINITE'], '__nv_fp8_interpretation_t': ['__NV_E4M3', '__NV_E5M2'], '__nv_fp6_interpretation_t': ['__NV_E2M3', '__NV_E3M2'],
           '__nv_fp4_interpretation_t': ['__NV_E2M1'], 'cudaRoundMode': ['cudaRoundNearest', 'cudaRoundZero', 'cudaRoundPosInf', 'cudaRoundMinInf']}
RAW = {'__half_raw': '__half', '__half2_raw': '__half2', '__nv_bfloat16_raw': '__nv_bfloat16', '__nv_bfloat162_raw': '__nv_bfloat162'}
VECTORS = {'float2': ('float', 2), 'double2': ('double', 2), 'short2': ('short', 2), 'ushort2': ('unsigned short', 2), 'char4': ('signed char', 4), 'uchar4': ('unsigned char', 4)}
POOLS = {'f': 6, 'd': 4, 'h': 4, 'g': 4, 'b': 4, 'c': 4, 'u': 6, 'l': 4, 'q': 4, 'x': 2}


def type_of(words):
    """`const unsigned int selector` -> `unsigned int`."""
    known = set(NUMBERS) | set(WHOLE) | set(CHOICES) | set(RAW) | set(VECTORS)
    text = ' '.join(w for w in words.replace('*', ' * ').split() if w not in ('const', 'enum', 'struct', 'volatile', 'constexpr'))
    for kind in (text, text.rsplit(' ', 1)[0]):
        if kind in known or (kind.endswith(' *') and kind[:-2] in known):
            return kind
    return None


def prototypes():
    include = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(shutil.which('nvcc')))), 'include')
    if not os.path.isdir(include):
        include = '/usr/local/cuda/include'
    found = {}
    for header in HEADERS:
        with open(os.path.join(include, header)) as file:
            text = file.read()
        text = re.sub(r'/\*.*?\*/', '', text, flags=re.S)
        text = re.sub(r'//[^\n]*', '', text)
        text = re.sub(r'^\s*#(?:[^\n\\]|\\\n|\\.)*', '', text, flags=re.M)
        for head, name, args in re.findall(r'((?:\w+[\s*&]+)+)(\w+)\s*\(([^(){};]*)\)\s*(?:__THROW|throw\(\)|noexcept|__DEF_IF_HOST)?\s*;', text):
            if not re.search(r'__device__|_DECL__', head) or AWAY.search(name):
                continue
            words = [w for w in re.findall(r'\w+|\*', head) if not re.match(r'__.*__$|extern|static|inline|__cdecl|CDECL|__CUDA_MATH|_CRTIMP|_ACRTIMP|__forceinline', w) and not w.endswith('DECL__')]
            back = type_of(' '.join(words)) if words != ['void'] else 'void'
            args = [type_of(a.split('=')[0]) for a in args.split(',')] if args.strip() not in ('', 'void') else []
            if back is None or not args or None in args:
                continue
            found[(name, back, tuple(args))] = True
    return [p for p in found if p[1] != 'void' or any(a.endswith('*') for a in p[2])]


class Kernel:
    def __init__(self, r, name, all_functions):
        self.r, self.name, self.functions = r, name, all_functions
        self.depth = self.loops = self.count = 0
        self.clean = r.random() < .5  # no NaN in any pool
        self.constants = r.choice([.1, .3, .6])

    def pick(self, pool):
        return '%s[%d]' % (pool, self.r.randrange(POOLS[pool]))

    def number(self):
        r = self.r
        text = r.choice([r.choice(['0.0', '-0.0', '1.0', '-1.0', '0.5', '2.0', '3.0', '10.0', '0.1', '1e-3', '100.0', '-2.5', '0.25', '7.0', '1e-7', '3.14159265']),
                         '%.6g' % (r.uniform(-4, 4)), '%.5g' % (2.0 ** r.randrange(-20, 20) * r.choice([-1, 1]) * r.uniform(1, 2)), '%d.0' % r.randrange(-9, 100)])
        return text if '.' in text or 'e' in text else text + '.0'

    def whole(self):
        r = self.r
        return r.choice([str(r.randrange(0, 33)), str(r.randrange(0, 70)), '0x%x' % r.getrandbits(8), '0x%x' % r.getrandbits(32), '0xffffffff', '0x80000000', '0x7fffffff', '0'])

    def argument(self, kind):
        r = self.r
        if kind in CHOICES:
            return r.choice(CHOICES[kind])
        if kind in RAW:
            return '(%s)%s' % (kind, self.argument(RAW[kind]))
        if kind in VECTORS:
            one, n = VECTORS[kind]
            return 'make_%s(%s)' % (kind, ', '.join(self.argument(one) for _ in range(n)))
        constant = r.random() < self.constants
        if kind in NUMBERS:
            if not constant:
                return self.pick(NUMBERS[kind])
            n = self.number()
            return {'float': n + 'f', 'double': n, '__half': '__float2half_rn(%sf)' % n, '__nv_bfloat16': '__float2bfloat16_rn(%sf)' % n,
                    '__half2': '__floats2half2_rn(%sf, %sf)' % (n, self.fixed()), '__nv_bfloat162': '__floats2bfloat162_rn(%sf, %sf)' % (n, self.fixed())}[kind]
        if kind == 'bool':
            return '(bool)(%s & 1)' % self.pick('u')
        return '(%s)(%s)' % (kind, self.whole() if constant else self.pick(WHOLE[kind]))

    def fixed(self):
        return self.r.choice(['1.5', '-0.25', '3.0', '0.0'])

    def store(self, kind, text, pad):
        """A statement that gives a pool's variable this value."""
        r = self.r
        if kind in NUMBERS:
            p = NUMBERS[kind]
            return '%s%s = %s;\n' % (pad, self.pick(p), 'one(%s)' % text if self.clean else text)
        if kind in RAW:
            return self.store(RAW[kind], '(%s)(%s)' % (RAW[kind], text), pad)
        if kind in VECTORS:
            one, n = VECTORS[kind]
            self.count += 1
            v = 'v%d' % self.count
            return '%s{ %s %s = %s;\n%s%s}\n' % (pad, kind, v, text, ''.join(self.store(one, '%s.%s' % (v, 'xyzw'[k]), pad + '  ') for k in range(n)), pad)
        p = WHOLE[kind]
        to = self.pick(p)
        return '%s%s %s (%s)(%s);\n' % (pad, to, r.choice(['=', '=', '^=', '+=']), {'u': 'unsigned', 'l': 'Word', 'q': 'unsigned short'}[p], text)

    def call(self, pad):
        name, back, args = self.r.choice(self.functions)
        pointers, text, before, after = 0, [], '', ''
        for kind in args:
            if kind.endswith('*'):
                self.count += 1
                v = 'o%d' % self.count
                before += '%s  %s %s = %s;\n' % (pad, kind[:-2], v, '{}' if kind[:-2] in RAW or kind[:-2] in NUMBERS and kind.startswith('__') else '0')
                text.append('&' + v)
                after += self.store(kind[:-2], v, pad + '  ')
            elif kind == 'cudaRoundMode' and '__nv_cvt' in name:  # those they have; the others stop at an assert
                text.append(self.r.choice(['cudaRoundZero', 'cudaRoundPosInf']) if 'e8m0' in name else 'cudaRoundNearest')
            else:
                text.append(self.argument(kind))
        made = '%s(%s)' % (name, ', '.join(text))
        if not before:
            return self.store(back, made, pad)
        middle = '%s  %s;\n' % (pad, made) if back == 'void' else self.store(back, made, pad + '  ')
        return '%s{\n%s%s%s%s}\n' % (pad, before, middle, after, pad)

    def arithmetic(self, pad):
        """What operators do: sums of products, of which some become one; 128 bits; shifts; comparisons."""
        r = self.r
        k = r.randrange(10)
        kind = r.choice(list(NUMBERS))
        a = lambda: self.argument(kind)
        if k < 4:
            return self.store(kind, r.choice(['%s * %s - %s', '%s - %s * %s', '%s * %s + %s', '(%s + %s) * %s', '%s / %s + %s', '%s - %s / %s', '-(%s) * %s - %s']) % (a(), a(), a()), pad)
        if k == 4:
            return self.store('unsigned int', '(%s %s %s)' % (self.argument('float'), r.choice(['<', '<=', '>', '>=', '==', '!=']), self.argument('float')), pad)
        if k == 5:
            to, x, y = self.pick('x'), self.pick('x'), self.pick('x')
            return pad + r.choice(['%s = %s * %s;', '%s = %s + %s;', '%s = %s - %s;', '%s = %s / (%s | 1);', '%s = %s %% (%s | 1);', '%s = %s << (int)(%s & 127);', '%s = %s >> (int)(%s & 127);',
                                   '%s = (Wide)((Signed)%s / (Signed)((%s >> 3) | 1));', '%s = (Wide)((Signed)%s >> (int)(%s & 127));', '%s = %s ^ ~%s;']) % (to, x, y) + '\n'
        if k == 6:
            return pad + r.choice(['%s ^= (Wide)%s * %s;\n' % (self.pick('x'), self.pick('l'), self.argument('unsigned long long')), '%s = (Word)(%s >> %d);\n' % (self.pick('l'), self.pick('x'), r.randrange(65)),
                                   '%s = (double)%s;\n' % (self.pick('d'), self.pick('x')), '%s = (float)(Signed)%s;\n' % (self.pick('f'), self.pick('x'))])
        if k == 7:
            kind = r.choice(['int', 'unsigned int', 'long long', 'unsigned long long', 'short', 'unsigned char'])
            d = r.choice([3, 5, 7, 10, 12, 25, 100, 125, 641, 1000, 7919, 65537, 1000000007])
            d = d % 100 + 3 if kind == 'unsigned char' else d % 30000 + 2 if kind == 'short' else d
            return self.store(kind, '%s %s (%s)%s%d' % (self.argument(kind), r.choice('/%'), kind, '-' if kind in ('int', 'long long', 'short') and r.random() < .3 else '', d), pad)
        if k == 8:
            return self.store('unsigned int', r.choice(['(%s << (%s & 31))', '(%s >> (%s & 31))']) % (self.argument('unsigned int'), self.argument('unsigned int')), pad)
        f, t = r.choice(['float', 'double']), r.choice(['int', 'unsigned int', 'long long', 'unsigned long long', 'short', 'signed char', 'unsigned char', '__half', '__nv_bfloat16'])
        return self.store(t, '(%s)%s' % (t, self.argument(f)), pad) if r.random() < .5 else self.store(f, '(%s)%s' % (f, self.argument(t)), pad)

    def lanes(self, pad):
        """Lanes of a mask, all of which are there."""
        r = self.r
        mask = r.choice([0xffffffff, 0x0000ffff, 0xff00ff00, 0x0f0f0f0f, 0xfff, 0x80000001, r.getrandbits(32) | 1])
        m = '0x%xu' % mask
        somebody = '(int)__fns(%s, 0, (int)(%s %% %du) + 1)' % (m, self.pick('u'), bin(mask).count('1'))
        kind = r.choice(['f', 'd', 'h', 'g', 'b', 'c', 'u', 'l'])
        body = r.choice([lambda: '%s = __shfl_sync(%s, %s, %s);' % (self.pick(kind), m, self.pick(kind), somebody),
                         lambda: '%s = __shfl_sync(%s, %s, %s);' % (self.pick(kind), m, self.pick(kind), somebody),
                         lambda: '%s ^= __ballot_sync(%s, %s & 4);' % (self.pick('u'), m, self.pick('u')),
                         lambda: '%s += __any_sync(%s, %s > %s) * 2 + __all_sync(%s, %s & 8);' % (self.pick('u'), m, self.pick('f'), self.pick('f'), m, self.pick('u')),
                         lambda: '%s = __reduce_%s_sync(%s, %s);' % (self.pick('u'), r.choice(['add', 'min', 'max', 'and', 'or', 'xor']), m, self.pick('u')),
                         lambda: '%s = (unsigned)__reduce_%s_sync(%s, (int)%s);' % (self.pick('u'), r.choice(['add', 'min', 'max']), m, self.pick('u')),
                         lambda: '%s ^= __match_any_sync(%s, %s & 3);' % (self.pick('u'), m, self.pick(r.choice('ul'))),
                         lambda: '{ int p; %s ^= __match_all_sync(%s, %s & 1, &p) + p; }' % (self.pick('u'), m, self.pick('u'))])()
        return '%sif (%s >> (threadIdx.x & 31) & 1) %s\n' % (pad, m, body)

    def cells(self, pad):
        """Atomics whose order nobody sees."""
        r = self.r
        g = r.choice(['cell', 'cell', '(cells + blockIdx.x)'])
        op, kind = r.choice([('Add', 'unsigned'), ('Add', 'Word'), ('Min', 'int'), ('Max', 'unsigned'), ('And', 'unsigned'), ('Or', 'Word'), ('Xor', 'Word'), ('Max', 'long long'), ('Min', 'Word'),
                             ('Add', 'float'), ('Add', 'double'), ('Add', '__half2'), ('Add', '__half'), ('Add', '__nv_bfloat162'), ('Sub', 'int'), ('Inc', 'unsigned'), ('Dec', 'unsigned')])
        small = '(%s & 7)' % self.pick('u')
        value = {'float': '(float)%s' % small, 'double': '(double)%s * .5' % small, '__half2': '__float2half2_rn((float)%s)' % small, '__half': '__float2half_rn((float)%s)' % small,
                 '__nv_bfloat162': '__float2bfloat162_rn((float)(%s & 1))' % self.pick('u')}.get(kind, '(%s)%s' % (kind, self.pick('l')))
        if op in ('Inc', 'Dec'):
            value = '%d' % r.randrange(1, 90)
        return '%s__syncthreads();\n%sif (threadIdx.x == 0) *%s = %s;\n%s__syncthreads();\n%sif (%s & %d) atomic%s((%s*)%s, %s);\n%s__syncthreads();\n%s%s ^= *%s;\n' % (
            pad, pad, g, r.choice(['0', '0', '0x40']) if kind not in ('float', 'double', '__half2', '__half', '__nv_bfloat162') else '0', pad, pad, self.pick('u'), r.randrange(1, 8), op, kind, g, value, pad, pad, self.pick('l'), g)

    def statement(self, pad='  '):
        r = self.r
        k = r.randrange(24)
        if k < 15:
            return self.call(pad)
        if k < 18:
            return self.arithmetic(pad)
        if k == 18 and self.depth == 0:
            return self.lanes(pad)
        if k == 19 and self.depth == 0:
            return self.cells(pad)
        if k == 20 and self.depth < 3:
            self.depth += 1
            body = lambda: ''.join(self.statement(pad + '  ') for _ in range(r.randrange(1, 4)))
            text = '%sif (%s) {\n%s%s}' % (pad, r.choice(['%s < %s' % (self.pick('f'), self.argument('float')), '%s & %d' % (self.pick('u'), r.randrange(1, 8)), '%s > %s' % (self.pick('l'), self.pick('l'))]), body(), pad)
            if r.random() < .5:
                text += ' else {\n%s%s}' % (body(), pad)
            self.depth -= 1
            return text + '\n'
        if k == 21 and self.loops < 2:
            self.loops, self.depth, self.count = self.loops + 1, self.depth + 1, self.count + 1
            i = 'i%d' % self.count
            n = r.choice(['(%s & 7)' % self.pick('u'), '%d' % r.randrange(2, 9), '%d' % r.randrange(2, 5)])
            text = r.choice(['', '', pad + '#pragma unroll 1\n', pad + '#pragma unroll 2\n'])
            text += '%sfor (unsigned %s = 0, n%s = %s; %s < n%s; ++%s) {\n' % (pad, i, i, n, i, i, i)
            text += r.choice(['', '%s  %s = (float)%s * 0.37f;\n' % (pad, self.pick('f'), i), '%s  %s += %s;\n' % (pad, self.pick('u'), i), '%s  %s = %s * 0.125;\n' % (pad, self.pick('d'), i)])
            text += ''.join(self.statement(pad + '  ') for _ in range(r.randrange(1, 4)))
            self.loops, self.depth = self.loops - 1, self.depth - 1
            return text + pad + '}\n'
        if k == 22 and self.depth < 2:
            self.depth += 1
            n = r.choice([3, 6, 9])
            text = '%sswitch (%s %% %du) {\n' % (pad, self.pick('u'), n + 1)
            for c in range(n):
                text += '%s  case %d: {\n%s%s  }%s\n' % (pad, c, self.statement(pad + '    '), pad, ' break;' if r.random() < .8 else '')
            self.depth -= 1
            return text + pad + '}\n'
        return self.call(pad)


HEAD = r'''// random CUDA C++ of the headers' functions, seed SEED
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_fp6.h>
#include <cuda_fp4.h>
#include <cstdio>
#include <cstring>
#include <vector>
typedef unsigned long long Word;
typedef unsigned __int128 Wide;
typedef __int128 Signed;
__device__ Word cells[4];
__device__ float one(float f) { return f != f ? 1.0f : f; }
__device__ double one(double f) { return f != f ? 1.0 : f; }
__device__ __half one(__half f) { return __hisnan(f) ? __float2half_rn(1.f) : f; }
__device__ __nv_bfloat16 one(__nv_bfloat16 f) { return __hisnan(f) ? __float2bfloat16_rn(1.f) : f; }
__device__ __half2 one(__half2 f) { return __halves2half2(one(__low2half(f)), one(__high2half(f))); }
__device__ __nv_bfloat162 one(__nv_bfloat162 f) { return __halves2bfloat162(one(__low2bfloat16(f)), one(__high2bfloat16(f))); }
__device__ Word bits(float f) { return f != f ? 0x7fffffffu : __float_as_uint(f); }
__device__ Word bits(double d) { return d != d ? 0x7fffffffffffffffull : (Word)__double_as_longlong(d); }
__device__ Word bits(__half f) { return __hisnan(f) ? 0x7fff : __half_as_ushort(f); }
__device__ Word bits(__nv_bfloat16 f) { return __hisnan(f) ? 0x7fff : __bfloat16_as_ushort(f); }
'''
START = '''
__global__ void NAME(const Word* in, Word* out) {
  __shared__ Word cell[1];
  float f[6];
  double d[4];
  Word l[4];
  Wide x[2];
  unsigned u[6];
  unsigned short q[4];
  __half h[4];
  __half2 g[4];
  __nv_bfloat16 b[4];
  __nv_bfloat162 c[4];
  const unsigned thread = blockIdx.x * 64 + threadIdx.x;
  in += thread % 2048;
  for (int n = 0; n < 6; ++n) u[n] = (unsigned)in[n], f[n] = one(__uint_as_float((unsigned)in[2100 + n * 7]));
  for (int n = 0; n < 4; ++n) d[n] = one(__longlong_as_double((long long)in[4200 + 3 * n])), l[n] = in[n + 11], h[n] = one(__ushort_as_half((unsigned short)in[6300 + n])), q[n] = (unsigned short)in[n + 20];
  for (int n = 0; n < 4; ++n) b[n] = one(__float2bfloat16_rn(f[n + 2])), g[n] = __halves2half2(h[n], h[n ^ 1]), c[n] = __floats2bfloat162_rn(f[n], f[n + 1]);
  for (int n = 0; n < 2; ++n) x[n] = (Wide)l[n] << 64 | l[n + 1];
'''
END = '''
  out += thread * 40;
  for (int n = 0; n < 6; ++n) out[n] = u[n], out[6 + n] = bits(f[n]);
  for (int n = 0; n < 4; ++n) out[12 + n] = bits(d[n]), out[16 + n] = l[n], out[20 + n] = q[n], out[24 + n] = bits(h[n]) | bits(b[n]) << 32;
  for (int n = 0; n < 4; ++n) out[28 + n] = bits(__low2half(g[n])) | bits(__high2half(g[n])) << 32, out[32 + n] = bits(__low2bfloat16(c[n])) | bits(__high2bfloat16(c[n])) << 32;
  for (int n = 0; n < 2; ++n) out[36 + 2 * n] = (Word)x[n], out[37 + 2 * n] = (Word)(x[n] >> 64);
}
'''
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
if __name__ == '__main__':
    import expressions
    everything = prototypes()
    main = expressions.MAIN.replace('256 * 24', '256 * 40').replace('n % 24 ?', 'n % 40 ?').replace('n % 24 == 23', 'n % 40 == 39')
    if sys.argv[1] == 'list':
        for p in everything:
            print(p[1], p[0], ', '.join(p[2]))
        sys.exit()
    expressions.write(lambda r, name: Kernel(r, name, everything), 7000000, (12, 40), HEAD, START, END, main)
