# SPDX-License-Identifier: MIT
"""Statements of hopper.py: copies of the Tensor Memory Accelerator, with tensor maps and without."""
from maps import SUMS, TYPES, Map, up

BULK_SUMS = [('f16', 'add.noftz min max'), ('bf16', 'add.noftz min max'), ('f32', 'add'), ('f64', 'add'), ('u32', 'add min max inc dec'), ('s32', 'add min max'),
             ('u64', 'add min max'), ('s64', 'min max'), ('b32', 'and or xor'), ('b64', 'and or xor')]
ORDINARY = {'FLOAT16': 1, 'BFLOAT16': 2, 'FLOAT32': 2, 'FLOAT32_FTZ': 2, 'f16': 1, 'bf16': 2, 'f32': 2, 'f64': 4}


class Copies:
    def add_map(self, m, where):
        self.maps.append(m.encode(len(self.maps), where) % self.r.randrange(4))
        return len(self.maps) - 1

    def barrier(self):
        """(opening, number, parity, closing): an mbarrier of one arrival, new or one that the kernel keeps."""
        if self.r.random() < .5:
            b = self.r.randrange(4)
            return 'init(%d, 1); ' % b, b, '0', ' inval(%d);' % b
        b = self.r.randrange(2)
        return '', 4 + b, 'phase%d' % b, ' phase%d ^= 1;' % b

    def one(self):
        """One thread of the CTA."""
        return self.r.choice(['threadIdx.x == 0', 'threadIdx.x == %d' % self.r.randrange(self.threads), 'threadIdx.x < 32 && elect()',
                              'threadIdx.x >= %d && elect()' % (self.threads - 32)])

    def told(self, b, bytes_, is_same=False):
        """That bytes come; where it is the same everywhere, it may be told the next CTA's mbarrier."""
        r = self.r
        if is_same and self.ctas > 1 and r.random() < .3:
            return 'asm volatile("mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%%0], %%1;" : : "r"(there(kBars + %d * 8, (rank + %d) %% %d)), "r"(%s) : "memory");' % (
                b, r.randrange(self.ctas), self.ctas, bytes_)
        if r.random() < .2:
            return 'asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%%0], %%1;" : : "r"(at(kBars + %d * 8)), "r"(%s) : "memory"); arrive(%d);' % (b, bytes_, b)
        return 'expect(%d, %s);' % (b, bytes_)

    def prefetched(self, m, operand):
        """What changes nothing."""
        r = self.r
        if r.random() < .8:
            return ''
        if r.random() < .4:
            return ' asm volatile("prefetch.tensormap [%%0];" : : "l"(%s) : "memory");' % operand
        if m.is_pixels:
            return ''
        return ' asm volatile("cp.async.bulk.prefetch.tensor.%dd.L2.global.tile [%%0, {%s}];" : : "l"(%s), %s : "memory");' % (
            m.rank, ', '.join('%%%d' % (1 + d) for d in range(m.rank)), operand, ', '.join('"r"(%s)' % p for p in m.places(r)))

    def hint(self):
        return self.r.choice(['', '', '', '.L2::cache_hint'])

    def replaced(self, pad, m, where):
        """The map in a slot of its own, made of another one by the first warp: (text, operand)."""
        r = self.r
        other, lines = m.changed(r)
        which = self.add_map(other, 'in + %d' % (where + getattr(other, 'moved', 0)))
        self.slots += 1
        slot = '&slots[rank * 32 + %d]' % self.slots
        text = pad + '  if (threadIdx.x < 32) { take_map(&maps.m[%d]); if (threadIdx.x == 0) {\n' % which
        for line in lines:
            if line == 'address':
                text += pad + '    asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%%0], %%1;" : : "l"((Word)at(kMap)), "l"(in + %d) : "memory");\n' % where
            else:
                text += pad + '    asm volatile("%s;" : : "l"((Word)at(kMap)) : "memory");\n' % line.replace('%%0', '%0')
        return text + pad + '    } give_map(%s); } __syncthreads(); if (threadIdx.x != 0) asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%%0], 128;" : : "l"(%s) : "memory");\n' % (slot, slot), slot

    def loads(self, pad, is_late=False):
        """Boxes of a tensor into shared memory, to one CTA or several."""
        r = self.r
        m = Map(r, False, None, r.choice([12288, 12288, 12288 if is_late else 49152]))
        where = 32 * r.randrange(2048)
        new_map = ''
        if r.random() < .25 and self.slots < 31 and self.depth == 0:
            new_map, operand = self.replaced(pad, m, where)
        else:
            operand = '&maps.m[%d]' % self.add_map(m, 'in + %d' % where)
        pre, b, parity, post = self.barrier()
        if is_late:
            pre, b, parity, post = '', 6, 'phase2', ' phase2 ^= 1;'
        area = up(m.area, 128)
        boxes = r.randrange(1, max(2, min(4, 24576 // area)))
        align = r.choice([128, 1024]) if m.interleave < 2 else 1024
        start, gap = align * r.randrange(1, 9 if align == 128 else 4), up(area, align)
        total = up(start + boxes * gap + 256, 128)
        if total > (32768 if is_late else 60000):
            return self.loads(pad, is_late)
        into_, begin = ('kLate', 'kLate + ') if is_late else ('0', '')
        how, mask = '', ''
        if self.ctas > 1 and r.random() < .5:
            how, mask = '.multicast::cluster', r.randrange(1, 1 << self.ctas)
        sender = r.randrange(self.ctas) if mask else None
        text = pad + '{ %sfill(%s, %d, u[%d], 0);\n' % (pre, into_, total, r.randrange(6)) + new_map + pad + '  meet();\n'
        into = '1' if not mask else '(%du >> rank & 1)' % mask
        text += pad + '  if (%s) {%s %s\n' % (self.one(), self.prefetched(m, operand), self.told(b, '%s * %d' % (into, m.count * boxes), not mask))
        if mask:
            text += pad + '    if (rank == %d) {\n' % sender
        hint = self.hint()
        for k in range(boxes):
            operands = ['"r"(at(%s%d))' % (begin, start + k * gap), '"l"(%s)' % operand]
            places = m.places(r)
            operands += ['"r"(%s)' % p for p in places]
            c = '{' + ', '.join('%%%d' % (2 + d) for d in range(m.rank)) + '}'
            n = 2 + m.rank
            operands.append('"r"(at(kBars + %d * 8))' % b)
            tail, n = ', [%%%d]' % n, n + 1
            if m.is_pixels:
                tail += ', {' + ', '.join('%%%d' % (n + d) for d in range(len(m.offset))) + '}'
                n += len(m.offset)
                operands += ['"h"((unsigned short)%d)' % o for o in m.offset]
            if mask:
                tail, n = tail + ', %%%d' % n, n + 1
                operands.append('"h"((unsigned short)%d)' % mask)
            if hint:
                tail, n = tail + ', %%%d' % n, n + 1
                operands.append('"l"(0x1000000000000000ull)')
            space = 'shared::cluster' if mask or r.random() < .8 else 'shared::cta'
            text += pad + '    asm volatile("cp.async.bulk.tensor.%dd.%s.global.%s.mbarrier::complete_tx::bytes%s%s [%%0], [%%1, %s]%s;" : : %s : "memory");\n' % (
                m.rank, space, 'im2col' if m.is_pixels else 'tile', how, hint, c, tail, ', '.join(operands))
        text += pad + ('    } }\n' if mask else '  }\n')
        end = pad + '  wait(%d, %s); u[%d] = absorb(room%s, %d, u[%d]); meet();%s }\n' % (b, parity, r.randrange(6), ' + kLate' if is_late else '', total, r.randrange(6), post)
        if is_late:  # other statements come before it is waited for
            return text + pad + '}\n', pad + '{\n' + end
        return text + end

    def stores(self, pad):
        """Boxes of shared memory into a tensor of each CTA's own; or added to what is there."""
        r = self.r
        is_sum = r.random() < .5
        m = Map(r, True, [t for t in TYPES if t[0] in SUMS] if is_sum else None)
        first = len(self.maps)
        where = 128 * r.randrange(8)
        op = r.choice(SUMS[m.type].split()) if is_sum else ''
        meets = is_sum and 'INT' in m.type and op not in ('inc', 'dec') and r.random() < .5  # all CTAs' sums in one tensor
        for c in range(1 if meets else self.ctas):
            self.add_map(m, 'scratch + %d * kScratch + %d' % (c, where))
        owner = '0' if meets else 'rank'
        if len(self.maps) > 24:
            del self.maps[first:]
            return self.bulk_out(pad)
        name = 'cp.reduce.async.bulk.tensor.%dd.global.shared::cta.%s' % (m.rank, op) if is_sum else 'cp.async.bulk.tensor.%dd.global.shared::cta' % m.rank
        mode = '.im2col_no_offs' if m.is_pixels else '.tile' if r.random() < .7 else ''
        start, hint = 128 * r.randrange(8), self.hint()
        how = r.choice([0, ORDINARY.get(m.type, 0)])
        text = pad + '{ fill(%d, %d, u[%d], %d); fence_async(); __syncthreads();\n' % (start, up(m.area, 128), r.randrange(6), how)
        operands = ['"l"(&maps.m[%d + %s])' % (first, owner), '"r"(at(%d))' % start] + ['"r"(%s)' % p for p in m.places(r)]
        n = len(operands)
        if hint:
            operands.append('"l"(0x14f0000000000000ull)')
        text += pad + '  if (%s) { asm volatile("%s%s.bulk_group%s [%%0, {%s}], [%%1]%s;" : : %s : "memory");\n' % (
            self.one(), name, mode, hint, ', '.join('%%%d' % (2 + d) for d in range(m.rank)), ', %%%d' % n if hint else '', ', '.join(operands))
        text += pad + '    asm volatile("cp.async.bulk.commit_group; %scp.async.bulk.wait_group 0;" : : : "memory"); }\n' % r.choice(['', 'cp.async.bulk.wait_group.read 0; '])
        text += pad + '  meet(); u[%d] = absorb((const unsigned char*)scratch + %s * kScratch, %d, u[%d]); meet(); }\n' % (
            r.randrange(6), owner, up(where + m.span + 256, 128), r.randrange(6))
        return text

    def there_and_back(self, pad):
        """A box out of shared memory and, by the same map, into another place of it."""
        r = self.r
        m = Map(r, True)
        first, where, pre_b = len(self.maps), 128 * r.randrange(8), self.barrier()
        pre, b, parity, post = pre_b
        for c in range(self.ctas):
            self.add_map(m, 'scratch + %d * kScratch + %d' % (c, where))
        if len(self.maps) > 24:
            del self.maps[first:]
            return self.bulk_in(pad)
        out, back = 128 * r.randrange(8), 16384 + 1024 * r.randrange(4) + (128 * r.randrange(8) if m.interleave < 2 else 0)
        places = ['"r"(%s)' % p for p in m.places(r)]
        c = '{' + ', '.join('%%%d' % (2 + d) for d in range(m.rank)) + '}'
        offsets = ['"h"((unsigned short)0)' for _ in m.offset]
        text = pad + '{ %sfill(0, 40960, u[%d], 0); meet();\n' % (pre, r.randrange(6))
        text += pad + '  if (%s) { asm volatile("cp.async.bulk.tensor.%dd.global.shared::cta%s.bulk_group [%%0, %s], [%%1]; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" : : "l"(&maps.m[%d + rank]), "r"(at(%d)), %s : "memory");\n' % (
            self.one(), m.rank, '.im2col_no_offs' if m.is_pixels else '.tile', c, first, out, ', '.join(places))
        text += pad + '    fence_async(); %s asm volatile("cp.async.bulk.tensor.%dd.shared::cluster.global.%s.mbarrier::complete_tx::bytes [%%1], [%%0, %s], [%%%d]%s;" : : "l"(&maps.m[%d + rank]), "r"(at(%d)), %s : "memory"); }\n' % (
            self.told(b, '%d' % m.count), m.rank, 'im2col' if m.is_pixels else 'tile', c, 2 + m.rank, ', {' + ', '.join('%%%d' % (3 + m.rank + d) for d in range(len(offsets))) + '}' if offsets else '', first, back,
            ', '.join(places + ['"r"(at(kBars + %d * 8))' % b] + offsets))
        return text + pad + '  wait(%d, %s); u[%d] = absorb(room, 40960, u[%d]); meet();%s }\n' % (b, parity, r.randrange(6), r.randrange(6), post)

    def bulk_in(self, pad):
        r = self.r
        pre, b, parity, post = self.barrier()
        copies = [(16 * r.randrange(64), 16 * r.randrange(1, r.choice([3, 257]))) for _ in range(r.randrange(1, 5))]
        mask = r.randrange(1, 1 << self.ctas) if self.ctas > 1 and r.random() < .5 else 0
        text = pad + '{ %sfill(0, 24576, u[%d], 0); meet();\n' % (pre, r.randrange(6))
        text += pad + '  if (%s) { %s\n' % (self.one(), self.told(b, '%s * %d' % ('(%du >> rank & 1)' % mask if mask else '1', sum(s for _, s in copies))))
        if mask:
            text += pad + '    if (rank == %d) {\n' % r.randrange(self.ctas)
        for k, (begin, size) in enumerate(copies):
            tail = ', %4' if mask else ''
            text += pad + '    asm volatile("cp.async.bulk.%s.global.mbarrier::complete_tx::bytes%s [%%0], [%%1], %%2, [%%3]%s;" : : "r"(at(%d)), "l"(in + %d + (un >> %d & 31) * 16), "r"(%d), "r"(at(kBars + %d * 8))%s : "memory");\n' % (
                'shared::cluster' if mask or r.random() < .7 else 'shared::cta', '.multicast::cluster' if mask else '', tail, k * 5200 + begin, 16 * r.randrange(8192), r.randrange(20), size, b,
                ', "h"((unsigned short)%d)' % mask if mask else '')
        text += pad + ('    } }\n' if mask else '  }\n')
        return text + pad + '  wait(%d, %s); u[%d] = absorb(room, 24576, u[%d]); meet();%s }\n' % (b, parity, r.randrange(6), r.randrange(6), post)

    def bulk_out(self, pad):
        """Out of shared memory, or added to global memory."""
        r = self.r
        size, begin, start = 16 * r.randrange(1, r.choice([3, 257])), 16 * r.randrange(256), 16 * r.randrange(256)
        if r.random() < .6:
            t, ops = r.choice(BULK_SUMS)
            name, how = 'cp.reduce.async.bulk.global.shared::cta.bulk_group%%s.%s.%s' % (r.choice(ops.split()), t), r.choice([0, ORDINARY.get(t, 0)])
        else:
            name, how = 'cp.async.bulk.global.shared::cta.bulk_group%s', 0
        hint = self.hint()
        text = pad + '{ fill(%d, %d, u[%d], %d); fence_async(); __syncthreads();\n' % (start, up(size, 128), r.randrange(6), how)
        text += pad + '  if (%s) asm volatile("%s [%%0], [%%1], %%2%s; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" : : "l"(scratch + rank * kScratch + %d), "r"(at(%d)), "r"(%d)%s : "memory");\n' % (
            self.one(), name % hint, ', %3' if hint else '', begin, start, size, ', "l"(0x12f0000000000000ull)' if hint else '')
        return text + pad + '  meet(); u[%d] = absorb((const unsigned char*)scratch + rank * kScratch, 12288, u[%d]); meet(); }\n' % (r.randrange(6), r.randrange(6))

    def bulk_across(self, pad):
        """Into the shared memory of the next CTA: a copy, or sums from all of them into one."""
        r = self.r
        pre, b, parity, post = self.barrier()
        size, begin, start = 16 * r.randrange(1, 129), 16 * r.randrange(64), 16384 + 16 * r.randrange(64)
        all_, name = r.random() < .5, 'cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes'
        if all_ or r.random() < .3:
            op = r.choice(['add.u32', 'add.s32', 'add.u64', 'min.u32', 'max.u32', 'min.s32', 'max.s32', 'and.b32', 'or.b32', 'xor.b32'] + ([] if all_ else ['inc.u32', 'dec.u32']))
            name = 'cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.' + op
        to = '%d' % r.randrange(self.ctas) if all_ else '((rank + %d) %% %d)' % (r.randrange(self.ctas), self.ctas)
        many = '(rank == %s ? %d : 0)' % (to, size * self.ctas) if all_ else '%d' % size
        text = pad + '{ %sfill(0, 24576, u[%d], 0); meet();\n' % (pre, r.randrange(6))
        text += pad + '  if (%s) { %s asm volatile("%s [%%0], [%%1], %%2, [%%3];" : : "r"(there(%d, %s)), "r"(at(%d)), "r"(%d), "r"(there(kBars + %d * 8, %s)) : "memory"); }\n' % (
            self.one(), self.told(b, many), name, begin, to, start, size, b, to)
        return text + pad + '  wait(%d, %s); u[%d] = absorb(room, 16384, u[%d]); meet();%s }\n' % (b, parity, r.randrange(6), r.randrange(6), post)
