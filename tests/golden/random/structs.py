#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a random program of what C++ does with small values: structs by value with bit fields and arrays, unions, switches
that fall through, loops with break and continue, arrays at computed places, integers of every size, calls of calls.

    structs.py SEED > program.cu       nvcc -cudart shared -gencode arch=compute_90a,code=[compute_90a,sm_90a]

The host runs the same functions: the program prints `same HASH 0`, on a card and under `lanescope run`, or the threads that
differ. No overflow, shift, division or index is left undefined.
"""
import random
import sys

r = random.Random(int(sys.argv[1]))
T = {'s8':'signed char','u8':'unsigned char','s16':'short','u16':'unsigned short','s32':'int','u32':'unsigned','s64':'long long','u64':'unsigned long long'}
W = {'s8':8,'u8':8,'s16':16,'u16':16,'s32':32,'u32':32,'s64':64,'u64':64}
out = []
P = out.append  # a line, or several, of the program
P('#include <cstdio>\n#include <cstring>\n#include <vector>\n#define HD __host__ __device__ __noinline__\n#define FI __host__ __device__ __forceinline__')
for t,c in T.items(): P('typedef %s %s;' % (c, t))
P('''FI u64 mulhi(u64 a, u64 b) { return (u64)(((unsigned __int128)a * b) >> 64); }
FI u32 rot(u32 a, u32 n) { n &= 31; return n ? a << n | a >> (32 - n) : a; }
FI int pop(u64 a) { int n = 0; while (a) a &= a - 1, ++n; return n; }''')
structs = []
for n in range(3):
    fields = []
    for k in range(r.randrange(2, 7)):
        t = r.choice(list(T))
        kind = r.random()
        if kind < .35:
            fields.append((t, 'f%d' % k, r.randrange(1, W[t] + 1), 0))
        elif kind < .55:
            fields.append((t, 'f%d' % k, 0, r.choice([2, 3, 4, 8])))
        else:
            fields.append((t, 'f%d' % k, 0, 0))
    if not any(f[2] == 0 and f[3] == 0 for f in fields): fields.append(('u32', 'fz', 0, 0))
    structs.append(fields)
    P('struct S%d {' % n)
    for t, f, b, a in fields:
        P('  %s %s%s;' % (t, f, ' : %d' % b if b else '[%d]' % a if a else ''))
    P('};')
P('union U { u64 w; u32 h[2]; u16 q[4]; u8 b[8]; s8 c[8]; s16 d[4]; float f[2]; };')


class Function:
    def __init__(self, n, args, ret):
        self.n, self.args, self.ret = n, args, ret


fns = []


class Body:
    def __init__(self, scope, ret, level):
        self.v = list(scope)
        self.a = []
        self.s = []
        self.u = []
        self.ret = ret
        self.level = level
        self.count = 0
        self.loops = 0
        self.depth = 0

    def new(self, p='v'):
        """A name that nobody has."""
        self.count += 1
        return '%s%d' % (p, self.count)

    def place(self):
        """What can be written to, and its type."""
        k = r.random()
        if k < .2 and self.a:
            n, t, c = r.choice(self.a)
            return '%s[(u32)(%s) %% %d]' % (n, self.value(1), c), t
        if k < .35 and self.s:
            n, i = r.choice(self.s)
            t, f, b, a = r.choice(structs[i])
            return ('%s.%s[(u32)(%s) %% %d]' % (n, f, self.value(1), a) if a else '%s.%s' % (n, f)), t
        if k < .45 and self.u:
            n = r.choice(self.u)
            f, c, t = r.choice([('h',2,'u32'),('q',4,'u16'),('b',8,'u8'),('c',8,'s8'),('d',4,'s16')])
            return '%s.%s[(u32)(%s) %% %d]' % (n, f, self.value(1), c), t
        return r.choice(self.v)

    def value(self, deep=3):
        """An expression, of whatever type."""
        if deep == 0 or r.random() < .15:
            k = r.random()
            if k < .25: return '((%s)%s)' % (r.choice(list(T)), r.choice(['0x%xull' % r.getrandbits(r.choice([3, 8, 16, 31, 64])), str(r.randrange(-20, 20))]))
            return self.place()[0]
        n = lambda: self.value(deep - 1)
        k = r.randrange(14)
        t = r.choice(['u32', 'u64', 'u16', 'u8', 'u32', 'u64'])
        if k < 4: return '(%s)((%s)(%s) %s (%s)(%s))' % (r.choice(list(T)), 'u32' if W[t] < 32 else t, n(), r.choice(['+', '-', '*', '^', '&', '|', '+', '*']), 'u32' if W[t] < 32 else t, n())
        if k == 4:
            w = r.choice(['u32', 'u64'])
            return '((%s)(%s) %s ((u32)(%s) & %d))' % (w, n(), r.choice(['<<', '>>']), n(), W[w] - 1)
        if k == 5:
            w = r.choice(['s32', 's64', 's8', 's16'])
            return '((%s)(%s) >> ((u32)(%s) & %d))' % (w, n(), n(), W[w] - 1)
        if k == 6: return '((%s)(%s) %s ((%s)(%s) | 1))' % (t, n(), r.choice('/%'), t, n())
        if k == 7: return '((s64)(s32)(%s) %s ((s64)((s16)(%s) & 0x7ff) + 1))' % (n(), r.choice('/%'), n())
        if k == 8:
            a = r.choice(list(T))
            return '((%s)(%s) %s (%s)(%s))' % (a, n(), r.choice(['<', '<=', '==', '!=', '>', '>=']), a, n())
        if k == 9: return '((%s) ? (u64)(%s) : (u64)(%s))' % (n(), n(), n())
        if k == 10: return '(%s)(%s)' % (r.choice(list(T)), n())
        if k == 11: return r.choice(['mulhi(%s, %s)', 'rot((u32)(%s), (u32)(%s))']) % (n(), n())
        if k == 12: return '((%s) %s (%s))' % (n(), r.choice(['&&', '||']), n())
        ok = [f for f in fns if f.ret != 'S' and f.n < self.level]
        if ok and self.depth < 2: return self.call(r.choice(ok), deep)
        return '(%s(u64)(%s))' % (r.choice('~-'), n())

    def call(self, f, deep):
        """Of a function that stands before this one: none calls itself."""
        args = []
        for a in f.args:
            if a[0] == 'S':
                have = [n for n, i in self.s if i == a[1]]
                args.append(r.choice(have) if have else 'S%d{}' % a[1])
            else: args.append('(%s)(%s)' % (a[0], self.value(max(deep - 2, 0))))
        return 'f%d(%s)' % (f.n, ', '.join(args))

    def assign(self, pad):
        l, t = self.place()
        if r.random() < .3:
            w = 'u64' if W[t] == 64 else 'u32'
            return '%s%s = (%s)((%s)(%s) %s (%s)(%s));\n' % (pad, l, t, w, l, r.choice(['+', '^', '*', '-', '|']), w, self.value(2))
        return '%s%s = (%s)(%s);\n' % (pad, l, t, self.value(3))

    def block(self, pad, count):
        """Statements whose names end with them."""
        keep = (list(self.v), list(self.a), list(self.s), list(self.u))
        text = ''.join(self.statement(pad) for _ in range(count))
        self.v, self.a, self.s, self.u = keep
        return text

    def statement(self, pad):
        k = r.randrange(20)
        if self.depth > 2: k = min(k, 8)
        if k < 6: return self.assign(pad)
        if k == 6:
            n, t = self.new(), r.choice(list(T))
            text = '%s%s %s = (%s)(%s);\n' % (pad, t, n, t, self.value(2))
            self.v.append((n, t))
            return text
        if k == 7:
            n, t, c = self.new('a'), r.choice(list(T)), r.choice([4, 7, 16])
            text = '%s%s %s[%d]; for (int q = 0; q < %d; ++q) %s[q] = (%s)(q * %d + (u32)(%s));\n' % (pad, t, n, c, c, n, t, r.randrange(1, 99), r.choice(self.v)[0])
            self.a.append((n, t, c))
            return text
        if k == 8:
            if r.random() < .5:
                n = self.new('un')
                text = '%sU %s; %s.w = (u64)(%s);\n' % (pad, n, n, self.value(2))
                self.u.append(n)
                return text
            n, i = self.new('st'), r.randrange(3)
            ok = [f for f in fns if f.ret == 'S' and f.n < self.level and f.sret == i]
            text = '%sS%d %s%s;\n' % (pad, i, n, ' = ' + self.call(r.choice(ok), 2) if ok and r.random() < .6 else '{}')
            self.s.append((n, i))
            return text
        self.depth += 1
        inner = pad + '  '
        if k < 12:
            text = '%sif (%s) {\n%s%s}' % (pad, self.value(2), self.block(inner, r.randrange(1, 4)), pad)
            text += ' else {\n%s%s}\n' % (self.block(inner, r.randrange(1, 3)), pad) if r.random() < .5 else '\n'
        elif k < 15 and self.loops < 2:
            self.loops += 1
            n = self.new('i')
            body = self.block(inner, r.randrange(1, 4))
            extra = '%sif (%s) %s;\n' % (inner, self.value(1), r.choice(['break', 'continue'])) if r.random() < .5 else ''
            extra2 = self.block(inner, 1) if extra else ''
            limit = '(int)((u32)(%s) %% %d)' % (self.value(1), r.randrange(2, 9)) if r.random() < .6 else str(r.randrange(2, 7))
            if r.random() < .7: text = '%sfor (int %s = 0, e = %s; %s < e; ++%s) {\n%s%s%s%s}\n' % (pad, n, limit, n, n, body, extra, extra2, pad)
            else: text = '%s{ int %s = %s; do {\n%s%s} while (--%s > 0); }\n' % (pad, n, limit, body, pad, n)
            self.loops -= 1
        elif k < 18:
            cases = r.sample(range(0, 12), r.randrange(3, 9))
            text = '%sswitch ((u32)(%s) %% 12) {\n' % (pad, self.value(2))
            for c in cases:
                text += '%scase %d: {\n%s%s}%s\n' % (pad, c, self.block(inner, 1), pad, ' break;' if r.random() < .7 else '')
            text += '%sdefault: {\n%s%s}\n%s}\n' % (pad, self.block(inner, 1), pad, pad)
        else: text = self.assign(pad) + self.assign(pad)
        self.depth -= 1
        return text


def fold(fields, n):
    e = []
    for t, f, b, a in fields:
        e += ['(u64)%s.%s[%d]' % (n, f, k) for k in range(a)] if a else ['(u64)%s.%s' % (n, f)]
    return ' * 31 + '.join([e[0]]) if len(e) == 1 else '(' * (len(e) - 1) + e[0] + ''.join(') * 31 + %s' % x for x in e[1:])

for n in range(r.randrange(3, 7)):
    args = [('S', r.randrange(3)) if r.random() < .3 else (r.choice(list(T)),) for _ in range(r.randrange(1, 5))]
    f = Function(n, args, 'S' if r.random() < .3 else r.choice(list(T)))
    f.sret = r.randrange(3)
    names = ['p%d' % k for k in range(len(args))]
    sig = ', '.join('%s %s' % ('S%d' % a[1] if a[0] == 'S' else a[0], m) for a, m in zip(args, names))
    b = Body([(m, a[0]) for a, m in zip(args, names) if a[0] != 'S'] + [('x', 'u64')], f.ret, n)
    b.s = [(m, a[1]) for a, m in zip(args, names) if a[0] == 'S']
    text = '%s %s f%d(%s) {\n  u64 x = %d;\n' % (r.choice(['HD', 'HD', 'FI']), 'S%d' % f.sret if f.ret == 'S' else f.ret, n, sig, r.randrange(1 << 40))
    text += ''.join(b.statement('  ') for _ in range(r.randrange(3, 8)))
    if f.ret == 'S':
        text += '  S%d back{};\n' % f.sret
        for t, g, bits, a in structs[f.sret]:
            text += '  back.%s%s = (%s)(%s);\n' % (g, '[%d]' % r.randrange(a) if a else '', t, b.value(2))
        text += '  return back;\n}'
    else: text += '  return (%s)(%s);\n}' % (f.ret, b.value(2))
    P(text)
    fns.append(f)
b = Body([('x', 'u64'), ('y', 'u32'), ('z', 's16'), ('t', 's32')], 'u64', 99)
text = 'HD u64 whole(u32 thread, const u64* in) {\n  s32 t = (s32)thread; u64 x = in[thread % 64]; u32 y = (u32)in[(thread * 7 + 3) % 64]; s16 z = (s16)in[(thread * 13) % 64];\n'
for i in range(3):
    text += '  S%d k%d{};\n' % (i, i)
    b.s.append(('k%d' % i, i))
text += ''.join(b.statement('  ') for _ in range(r.randrange(10, 20)))
text += '  u64 h = x * 1000003 + y; h = h * 31 + (u64)z + (u64)t;\n'
for i in range(3): text += '  h = h * 1000003 + (%s);\n' % fold(structs[i], 'k%d' % i)
text += '  return h;\n}'
P(text)
P('''__global__ void kernel(u64* out, const u64* in) { u32 t = blockIdx.x * blockDim.x + threadIdx.x; out[t] = whole(t, in); }
int main() {
  std::vector<u64> in(64), a(192), b(192);
  u64 s = 88172645463325252ull;
  for (u64& w : in) { s ^= s << 13; s ^= s >> 7; s ^= s << 17; w = s >> (s & 31); }
  u64 *d, *o; cudaMalloc(&d, 512); cudaMalloc(&o, 192 * 8);
  cudaMemcpy(d, in.data(), 512, cudaMemcpyHostToDevice);
  kernel<<<3, 64>>>(o, d);
  cudaError_t e = cudaMemcpy(a.data(), o, 192 * 8, cudaMemcpyDeviceToHost);
  if (e) { printf("FAILED %s\\n", cudaGetErrorString(e)); return 1; }
  int bad = 0; u64 h = 0;
  for (u32 t = 0; t < 192; ++t) { b[t] = whole(t, in.data()); h = h * 31 + a[t]; if (a[t] != b[t] && bad++ < 3) printf("thread %u device %llx host %llx\\n", t, a[t], b[t]); }
  printf("%s %llx %d\\n", bad ? "DIFFERS" : "same", h, bad);
  return 0;
}''')
print('\n'.join(out))
