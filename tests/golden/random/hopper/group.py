# SPDX-License-Identifier: MIT
"""Statements of hopper.py: what warpgroups multiply, through any descriptor, and fed by tensor copies."""

KIND = {'f32': ('float', 'f'), 'f16': ('unsigned', 'r'), 's32': ('unsigned', 'r')}
BITS = {'f16': 16, 'bf16': 16, 'tf32': 32, 'e4m3': 8, 'e5m2': 8, 's8': 8, 'u8': 8, 'b1': 1}
FILL = {'f16': 1, 'bf16': 2, 'tf32': 2, 'e4m3': 3, 'e5m2': 3, 's8': 0, 'u8': 0, 'b1': 0}
DENSE = [('f32', 'f16', 'f16', 16), ('f16', 'f16', 'f16', 16), ('f32', 'bf16', 'bf16', 16), ('f32', 'tf32', 'tf32', 8), ('s32', 'b1', 'b1', 256)]
DENSE += [(d, a, b, 32) for d in ('f32', 'f16') for a in ('e4m3', 'e5m2') for b in ('e4m3', 'e5m2')]
DENSE += [('s32', a, b, 32) for a in ('s8', 'u8') for b in ('s8', 'u8')] * 2
WHOLE = [8, 16, 24, 32] + list(range(48, 257, 16))  # N of whole numbers


def registers(first, count):
    return '{' + ', '.join('%%%d' % (first + n) for n in range(count)) + '}'


def words(dt, n):
    """Registers of D, of a thread."""
    return n // (4 if dt == 'f16' else 2)


def together(dt, name, first, end):
    """Registers of an accumulator, as operands that asm reads and writes."""
    return ', '.join('"+%s"(%s[%d])' % (KIND[dt][1], name, x) for x in range(first, end))


class Group:
    def product(self, v, shape, a, descriptors, scale):
        """One wgmma: asm of accumulator v; a has the names of A's registers, or none."""
        r = self.r
        (dt, at, bt, k), n, sparse, meta = shape
        count, results = words(dt, n), together(dt, v, 0, words(dt, n))
        ins = ['"r"(%s)' % w for w in a] or ['"l"(%s)' % descriptors[0]]
        source = registers(count, 4) if a else '%%%d' % count
        ins.append('"l"(%s)' % descriptors[1])
        tail = '%%%d' % (count + len(ins) - 1)
        if sparse:
            tail += ', %%%d, %d' % (count + len(ins), r.randrange(2) if at in ('f16', 'bf16', 'tf32') else 0)
            ins.append('"r"(%s)' % meta)
        p = '%%%d' % (count + len(ins))
        ins.append('"r"(%s)' % scale)
        tail += ', p'
        if dt != 's32':
            signs = [r.choice([1, -1]), r.choice([1, -1])]
            # ptxas takes A's registers negative as whole numbers, where it knows one (docs/experiments/ptxas_mistakes.md)
            tail += ', %d, %d' % (1 if a else signs[0], signs[1])
        if at in ('f16', 'bf16'):
            major = (0, 0) if len(descriptors) > 2 else (r.randrange(2), r.randrange(2))
            tail += ('' if a else ', %d' % major[0]) + ', %d' % major[1]
        name = 'wgmma.mma_async%s.sync.aligned.m64n%dk%d%s.%s.%s.%s%s' % ('.sp' if sparse else '', n, k * (2 if sparse else 1), r.choice(['', '.satfinite']) if dt == 's32' and at != 'b1' else '',
                                                                        dt, at, bt, '.and.popc' if at == 'b1' else '')
        return 'asm volatile("{ .reg .pred p; setp.ne.b32 p, %s, 0; %s %s, %s, %s; }" : %s : %s : "memory");' % (p, name, registers(0, count), source, tail, results, ', '.join(ins))

    def group(self, pad):
        r = self.r
        kept = r.randrange(1, 3)
        width = 96 // kept
        text, last = pad + '{ ', r.randrange(6)
        shapes = []
        for _ in range(kept):
            t = r.choice(DENSE)
            shapes.append((t, r.choice([n for n in (WHOLE if t[0] == 's32' else range(8, 257, 8)) if words(t[0], n) <= width or kept == 1]), t[1] != 'b1' and r.random() < .25))
        how = FILL[shapes[0][0][1]] if r.random() < .85 else 0
        text += 'fill(0, 65536, u[%d], %d);\n' % (last, how)
        declared, body, names, ready = '', '', [], []
        for (dt, at, bt, k), n, sparse in shapes:
            v = self.fresh()
            names.append(v)
            count = words(dt, n)
            kind = KIND[dt][0]
            first = '(float)(int)(stir(u[%d], k) & 255) - 99.5f' % r.randrange(6) if dt == 'f32' else 'sane(stir(u[%d], k), %d)' % (r.randrange(6), 1 if dt == 'f16' else 0)
            declared += pad + '  %s %s[%d]; for (int k = 0; k < %d; ++k) %s[k] = %s;\n' % (kind, v, count, count, v, first)
        under_way = []  # the accumulators of each group that may be under way
        current = set()
        for _ in range(r.randrange(kept, kept + 4)):
            x = r.randrange(kept)
            t, n, sparse = shapes[x]
            a = []
            if r.random() < .4:
                for _ in range(4):
                    a.append(self.fresh())
                    ready.append('"+r"(%s)' % a[-1])
                    declared += pad + '  unsigned %s = sane(stir(u[%d], %d), %d);\n' % (a[-1], r.randrange(6), r.randrange(1000), FILL[t[1]])
            meta = ''
            if sparse:
                meta = self.fresh()
                declared += pad + '  const unsigned %s = %s(u[%d]);\n' % (meta, 'legal32' if t[1] == 'tf32' else 'legal', r.randrange(6))
            descriptors = []
            for rows in (64, n):
                mode, reps = r.randrange(4), max(rows // 8, 8)
                start = 16 * r.randrange(256) if r.random() < .5 else 1024 * r.randrange(8)
                most = min(3000, (60000 - start) // (reps + 4)) // 16
                strides = [r.randrange(1, most + 1) for _ in range(2)]
                if r.random() < .5:
                    strides = [min(most, 8 * max(1, s // 8)) for s in strides]
                descriptors.append('descriptor(%d, %d, %d, %d, %d)' % (start, strides[0], strides[1], r.choice([0, 0, 0, r.randrange(8)]), mode))
            scale = r.choice(['1', '1', '1', '0', 'un >> %d & 1' % r.randrange(20)])
            body += pad + '  %s\n' % self.product(names[x], (t, n, sparse, meta), a, descriptors, scale)
            current.add(x)
            if r.random() < .5:
                body += pad + '  asm volatile("wgmma.commit_group.sync.aligned;" : : : "memory");\n'
                under_way.append(current)
                current = set()
                if r.random() < .3:  # some are ready then, and may be looked at
                    left = r.randrange(len(under_way) + 1)
                    busy = set().union(*under_way[len(under_way) - left:]) if left else set()
                    body += pad + '  asm volatile("wgmma.wait_group.sync.aligned %d;" : %s : : "memory");\n' % (left, ', '.join(
                        together(shapes[y][0][0], names[y], 0, min(28 // kept, words(shapes[y][0][0], shapes[y][1]))) for y in range(kept) if y not in busy))
                    under_way = under_way[len(under_way) - left:]
        results = lambda x: together(shapes[x][0][0], names[x], 0, words(shapes[x][0][0], shapes[x][1]))
        # The compiler writes no register behind the fence that comes then.
        declared += ''.join(pad + '  asm volatile("" : %s : : "memory");\n' % l for l in [results(x) for x in range(kept)] + [', '.join(ready)] if l)
        text += declared + pad + '  fence_async(); __syncthreads();%s asm volatile("wgmma.fence.sync.aligned;" : : : "memory");\n' % r.choice(['', ' if (threadIdx.x < 128) {' if self.threads > 128 else ''])
        is_one = 'if (threadIdx.x < 128)' in text
        text += body + pad + '  asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" : : : "memory");\n'
        for x in range(kept):
            text += pad + '  asm volatile("" : %s : : "memory");\n' % results(x)
        if is_one:
            text += pad + '  }\n'
        for x, v in enumerate(names):
            count, to = words(shapes[x][0][0], shapes[x][1]), r.randrange(6)
            text += pad + '  for (int k = 0; k < %d; ++k) u[%d] = stir(u[%d], %s);\n' % (count, to, to, ('__float_as_uint(%s[k])' if shapes[x][0][0] == 'f32' else '%s[k]') % v)
        return text + pad + '  meet(); }\n'

    def fed(self, pad):
        """A producer's warp, a ring of stages, consumers that multiply; with a cluster B comes to all of it in parts."""
        r = self.r
        if self.threads < 256:
            return self.group(pad)
        consumers = self.threads // 128 - 1
        t = r.choice([t for t in DENSE if t[1] != 'b1' and t[1][1:] == t[2][1:] or t[1][0] == 'e'])
        dt, at, bt, k = t
        cast = self.ctas if self.ctas > 1 and r.random() < .6 else 1
        n = r.choice([n for n in (WHOLE if dt == 's32' else range(8, 129, 8)) if n <= 128 and n % (8 * cast) == 0])
        swizzle = r.choice([1, 2, 3])
        width = 16 << swizzle
        each = BITS[at] // 8
        enum = {'f16': 'FLOAT16', 'bf16': 'BFLOAT16', 'tf32': 'FLOAT32'}.get(at, 'UINT8')
        a_bytes, b_bytes = 64 * consumers * width, n * width
        b_at = (a_bytes + 1023) // 1024 * 1024
        step = b_at + (b_bytes + 1023) // 1024 * 1024
        stages = r.randrange(1, min(4, 60000 // step) + 1)
        turns = r.randrange(1, 7)
        place = {1: 131072, 2: 163840, 3: 196608, 0: 229376}[FILL[at]]
        maps = []
        for count in (64 * consumers, n // cast):
            stride = 16 * r.randrange(1, 9)
            size = [min(stride * r.randrange(1, 3), 16 * r.randrange(1, 40)) // each, r.randrange(1, 180)]
            self.maps.append('tile_map(maps.m[%d], CU_TENSOR_MAP_DATA_TYPE_%s, 0, %d, %d, 0, in + %d, {%d, %d}, {%d}, {1, 1}, {%d, %d})' % (
                len(self.maps), enum, swizzle, r.randrange(4), place + 16 * r.randrange(64), size[0], size[1], stride, width // each, count))
            maps.append(len(self.maps) - 1)
        count, kind = words(dt, n), KIND[dt][0]
        v = self.fresh()
        results = together(dt, v, 0, count)
        copy = 'asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes%s [%%0], [%%1, {%%2, %%3}], [%%4]%s;" : : "r"(at(%s)), "l"(&maps.m[%d]), "r"(n * %d - %d), "r"(%s), "r"(at(kBars + (64 + s) * 8))%s : "memory");'
        back = width // each * r.randrange(2)
        row = [r.randrange(-20, 60), r.randrange(-20, 60)]
        text = pad + '{ fill(0, %d, u[%d], %d); if (threadIdx.x == 0) for (unsigned s = 0; s < %d; ++s) init(64 + s, 1), init(72 + s, %d); meet();\n' % (stages * step, r.randrange(6), FILL[at], stages, consumers * cast)
        registers_ = r.random() < .5
        text += pad + '  if (threadIdx.x < 128) {\n'
        if registers_ and self.threads == 384:
            text += pad + '    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");\n'
        text += pad + '    if (threadIdx.x < 32 && elect()) for (int n = 0; n < %d; ++n) {\n' % turns
        text += pad + '      const unsigned s = n %% %d; if (n >= %d) wait(72 + s, (n / %d - 1) & 1); expect(64 + s, %d);\n' % (stages, stages, stages, a_bytes + b_bytes)
        text += pad + '      ' + copy % ('', '', 's * %d' % step, maps[0], width // each, back, '%d + (int)rank * 8' % row[0], '') + '\n'
        text += pad + '      ' + (copy % ('.multicast::cluster', ', %5', 's * %d + %d + rank * %d' % (step, b_at, b_bytes // cast), maps[1], width // each, back, '%d + (int)rank * %d' % (row[1], n // cast), ', "h"((unsigned short)%d)' % ((1 << cast) - 1))
                                  if cast > 1 else copy % ('', '', 's * %d + %d' % (step, b_at), maps[1], width // each, back, '%d' % row[1], '')) + '\n'
        text += pad + '    } __syncwarp();\n' + pad + '  } else {\n'
        if registers_ and self.threads == 384:
            text += pad + '    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");\n'
        first = '(float)(int)(stir(u[%d], k) & 255)' % r.randrange(6) if dt == 'f32' else '0'
        late = stages > 1 and r.random() < .5
        release = 'if (threadIdx.x % 128 == 0) ' + ('for (unsigned c = 0; c < %d; ++c) arrive_there(72 + STAGE, c);' % cast if cast > 1 else 'arrive(72 + STAGE);')
        text += pad + '    %s %s[%d]; for (int k = 0; k < %d; ++k) %s[k] = %s;\n' % (kind, v, count, count, v, first)
        text += pad + '    for (int n = 0; n < %d; ++n) { const unsigned s = n %% %d; wait(64 + s, n / %d & 1); asm volatile("" : %s : : "memory"); asm volatile("wgmma.fence.sync.aligned;" : : : "memory");\n' % (turns, stages, stages, results)
        for kk in range(width // 32):
            base = 's * %d' % step
            ds = ['descriptor(%s + (threadIdx.x / 128 - 1) * %d + %d, 1, %d, 0, %d)' % (base, 64 * width, kk * 32, width // 2, 4 - swizzle),
                  'descriptor(%s + %d, 1, %d, 0, %d)' % (base, b_at + kk * 32, width // 2, 4 - swizzle), 'K-major']
            text += pad + '      ' + self.product(v, (t, n, False, ''), [], ds, r.choice(['1', '1', 'n > 0 ? 1 : 0'])) + '\n'
        text += pad + '      asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned %d;" : : : "memory");\n' % (1 if late else 0)
        if late:
            text += pad + '      if (n > 0) { group_barrier(); %s }\n' % release.replace('STAGE', '(n - 1) %% %d' % stages)
        else:
            text += pad + '      group_barrier(); %s\n' % release.replace('STAGE', 's')
        text += pad + '    } asm volatile("wgmma.wait_group.sync.aligned 0;" : : : "memory"); asm volatile("" : %s : : "memory");\n' % results
        to = r.randrange(6)
        text += pad + '    for (int k = 0; k < %d; ++k) u[%d] = stir(u[%d], %s);\n' % (count, to, to, ('__float_as_uint(%s[k])' if dt == 'f32' else '%s[k]') % v)
        text += pad + '  } meet(); if (threadIdx.x == 0) for (unsigned s = 0; s < %d; ++s) inval(64 + s), inval(72 + s); meet(); }\n' % stages
        if registers_ and self.threads == 384:
            text = text.replace('  } meet(); if', '  asm volatile("setmaxnreg.dec.sync.aligned.u32 168;");\n%s  } meet(); if (threadIdx.x < 128) asm volatile("setmaxnreg.inc.sync.aligned.u32 168;"); if' % pad)
        return text
