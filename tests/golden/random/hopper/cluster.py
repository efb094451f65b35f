# SPDX-License-Identifier: MIT
"""Statements of hopper.py: mbarriers, and the shared memory of other CTAs."""

# Not of pairs of halves: in another CTA they are added as whole numbers (docs/experiments/cluster_sums.md).
ATOMS = [('u32', 'add min max inc dec', 'r'), ('s32', 'add min max', 'r'), ('b32', 'and or xor exch cas', 'r'), ('u64', 'add min max', 'l'), ('s64', 'min max', 'l'),
         ('b64', 'and or xor exch cas', 'l'), ('f32', 'add', 'f'), ('b16', 'cas', 'h'), ('f64', 'add', 'd')]
SENT = [('b32', 'r', 1), ('b64', 'l', 1), ('v2.b32', 'r', 2), ('v4.b32', 'r', 4), ('v2.b64', 'l', 2), ('v4.f32', 'f', 4), ('v2.u64', 'l', 2), ('s64', 'l', 1)]


class Cluster:
    def neighbour(self):
        return '((rank + %d) %% %d)' % (self.r.randrange(self.ctas), self.ctas)

    def value(self, letter):
        r = self.r
        return {'r': 'u[%d]' % r.randrange(6), 'l': 'l[%d]' % r.randrange(2), 'f': r.choice(['f[%d]' % r.randrange(4), '__uint_as_float(u[%d])' % r.randrange(6)]), 'h': '(unsigned short)u[%d]' % r.randrange(6),
                'd': r.choice(['(double)f[%d]' % r.randrange(4), '__longlong_as_double((long long)l[%d])' % r.randrange(2)])}[letter]

    def remote_access(self, pad):
        """Stores, atomics of a cell each, loads: every thread has 16 bytes in the next CTA."""
        r = self.r
        to = self.neighbour()
        cell = '(threadIdx.x * 16 %% %d)' % (self.threads * 16)
        text = pad + '{ fill(0, %d, u[%d], %d); meet(); const unsigned a = there(%s, %s); const Word g = there64(%s, %s);\n' % (
            self.threads * 16, r.randrange(6), r.choice([0, 0, 1, 2]), cell, to, cell, to)
        for _ in range(r.randrange(1, 5)):
            kind = r.random()
            if kind < .06:
                space, address = r.choice([('.shared::cluster', '"r"(a)'), ('', '"l"(g)')])
                text += pad + '  { Word x, y; asm volatile("{ .reg .b128 o, n; mov.b128 n, {%%3, %%4}; atom%s.%s.b128 o, [%%2], %sn; mov.b128 {%%0, %%1}, o; }" : "=l"(x), "=l"(y) : %s, "l"(l[0]), "l"(l[1]) : "memory"); l[0] ^= x; l[1] += y; }\n' % (
                    space, *r.choice([('exch', ''), ('cas', 'n, ')]), address)
            elif kind < .4:
                t, ops, letter = r.choice(ATOMS)
                op = r.choice(ops.split())
                space, address = r.choice([('.shared::cluster', '"r"(a)'), ('', '"l"(g)')])
                c = {'r': ('unsigned', 'u[%d] ^= %%s' % r.randrange(6)), 'l': ('Word', 'l[%d] ^= %%s' % r.randrange(2)), 'f': ('float', 'u[%d] ^= bits(%%s)' % r.randrange(6)),
                     'h': ('unsigned short', 'u[%d] += %%s' % r.randrange(6)), 'd': ('double', 'l[%d] ^= (Word)__double_as_longlong(%%s)' % r.randrange(2))}[letter]
                extra = ', %3' if op == 'cas' else ''
                text += pad + '  { %s old; asm volatile("atom%s%s.%s.%s %%0, [%%1], %%2%s;" : "=%s"(old) : %s, "%s"(%s)%s : "memory"); %s; }\n' % (
                    c[0], r.choice(['', '.relaxed.cluster', '.acq_rel.cluster']), space, op, t, extra, letter, address, letter, self.value(letter),
                    ', "%s"(%s)' % (letter, self.value(letter)) if extra else '', c[1] % 'old')
            elif kind < .7:
                t, letter, n = r.choice([('b32', 'r', 1), ('b64', 'l', 1), ('v2.b32', 'r', 2), ('v4.b32', 'r', 4), ('v2.b64', 'l', 2), ('b16', 'h', 1), ('f32', 'f', 1)])
                space, address = r.choice([('.shared::cluster', '"r"(a)'), ('', '"l"(g)')])
                values = [self.value(letter) for _ in range(n)]
                registers = '%1' if n == 1 else '{' + ', '.join('%%%d' % (1 + k) for k in range(n)) + '}'
                text += pad + '  asm volatile("st%s.%s [%%0], %s;" : : %s, %s : "memory");\n' % (space, t, registers, address, ', '.join('"%s"(%s)' % (letter, v) for v in values))
            else:
                t, letter, n = r.choice([('b32', 'r', 1), ('b64', 'l', 1), ('v2.b32', 'r', 2), ('v4.b32', 'r', 4), ('v2.b64', 'l', 2)])
                space, address = r.choice([('.shared::cluster', '"r"(a)'), ('', '"l"(g)')])
                registers = '%0' if n == 1 else '{' + ', '.join('%%%d' % k for k in range(n)) + '}'
                vs = r.sample(range(6), n) if letter == 'r' else r.sample(range(2), n)
                text += pad + '  asm volatile("ld%s.%s %s, [%%%d];" : %s : %s : "memory");\n' % (
                    space, t, registers, n, ', '.join('"=%s"(%s[%d])' % (letter, 'u' if letter == 'r' else 'l', v) for v in vs), address)
        return text + pad + '  meet(); u[%d] = absorb(room, %d, u[%d]); meet(); }\n' % (r.randrange(6), self.threads * 16, r.randrange(6))

    def remote_red(self, pad):
        """All threads of the cluster to a few cells of one CTA; the order is not seen."""
        r = self.r
        op = r.choice(['add.u32', 'add.s32', 'min.u32', 'max.s32', 'and.b32', 'or.b32', 'xor.b32', 'add.u64'])
        letter = 'l' if '64' in op else 'r'
        text = pad + '{ fill(0, 256, u[%d], 0); meet(); asm volatile("red%s.shared::cluster.%s [%%0], %%1;" : : "r"(there((u[%d] & 15) * 16, %d)), "%s"(%s) : "memory");\n' % (
            r.randrange(6), r.choice(['', '.relaxed.cluster', '.release.cluster']), op, r.randrange(6), r.randrange(self.ctas), letter, self.value(letter))
        return text + pad + '  meet(); u[%d] = absorb(room, 256, u[%d]); meet(); }\n' % (r.randrange(6), r.randrange(6))

    def sends(self, pad):
        """st.async of every thread to the next CTA; or red.async of all to cells of one."""
        r = self.r
        pre, b, parity, post = self.barrier()
        if r.random() < .6:
            t, letter, n = r.choice(SENT)
            size = n * (8 if letter == 'l' else 4)
            to, count = self.neighbour(), size * self.threads
            registers = '%1' if n == 1 else '{' + ', '.join('%%%d' % (1 + k) for k in range(n)) + '}'
            values = ', '.join('"%s"(%s)' % (letter, self.value(letter)) for _ in range(n))
            line = 'asm volatile("st.async%s.shared::cluster.mbarrier::complete_tx::bytes.%s [%%0], %s, [%%%d];" : : "r"(there(threadIdx.x * 16, %s)), %s, "r"(there(kBars + %d * 8, %s)) : "memory");' % (
                r.choice(['', '.weak']), t, registers, n + 1, to, values, b, to)
            many = '%d' % count
        else:
            op = r.choice(['add.u32', 'add.s32', 'min.u32', 'max.u32', 'min.s32', 'max.s32', 'and.b32', 'or.b32', 'xor.b32', 'add.u64'])
            letter = 'l' if '64' in op else 'r'
            to = r.randrange(self.ctas)
            line = 'asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.%s [%%0], %%1, [%%2];" : : "r"(there((u[%d] & 15) * 16, %d)), "%s"(%s), "r"(there(kBars + %d * 8, %d)) : "memory");' % (
                op, r.randrange(6), to, letter, self.value(letter), b, to)
            many = '(rank == %d ? %d : 0)' % (to, self.ctas * self.threads * (8 if letter == 'l' else 4))
        text = pad + '{ %sfill(0, %d, u[%d], 0); meet(); if (%s) { %s }\n' % (pre, self.threads * 16, r.randrange(6), self.one(), self.told(b, many, 'rank' not in many))
        text += pad + '  ' + line + '\n'
        return text + pad + '  wait(%d, %s); u[%d] = absorb(room, %d, u[%d]); meet();%s }\n' % (b, parity, r.randrange(6), self.threads * 16, r.randrange(6), post)

    def life(self, pad):
        """One thread leads an mbarrier through some phases and looks at it after every step."""
        r = self.r
        b, expected = r.randrange(4), r.randrange(1, 9)
        address, pick = '"r"(at(kBars + %d * 8))' % b, lambda: r.randrange(6)
        pending, bytes_, phase, states = expected, 0, 0, []
        text = pad + '{ init(%d, %d); meet(); if (threadIdx.x == %d) { unsigned p; Word s = 0; (void)p, (void)s;\n' % (b, expected, 32 * r.randrange(self.threads // 32))
        for _ in range(r.randrange(4, 20)):
            k = r.random()
            line, did = None, False
            if k < .2 and pending > 0:
                n = r.randrange(1, pending + 1) if r.random() < .5 else 1
                line = 'asm volatile("mbarrier.arrive%s.shared.b64 %%0, [%%1]%s;" : "=l"(s) : %s : "memory");' % (
                    r.choice(['', '.release.cta', '.release.cluster'] + (['.relaxed.cluster'])), ', %d' % n if n > 1 else '', address)
                pending, did, last = pending - n, True, phase
            elif k < .3 and pending > 1:
                n = r.randrange(1, pending)
                line, pending, last = 'asm volatile("mbarrier.arrive.noComplete%s.shared.b64 %%0, [%%1], %d;" : "=l"(s) : %s : "memory");' % ('', n, address), pending - n, phase
            elif k < .4 and pending > 0 and expected > 1:
                n = r.randrange(1, min(pending, expected - 1) + 1)
                line = 'asm volatile("mbarrier.arrive_drop.shared.b64 %%0, [%%1], %d;" : "=l"(s) : %s : "memory");' % (n, address)
                pending, expected, did, last = pending - n, expected - n, True, phase
            elif k < .5 and pending > 0:
                n = 8 * r.randrange(1, 100)
                line = 'asm volatile("mbarrier.arrive.expect_tx.shared.b64 %%0, [%%1], %d;" : "=l"(s) : %s : "memory");' % (n, address)
                bytes_, pending, did, last = bytes_ + n, pending - 1, True, phase
            elif k < .58 and (pending > 0 or bytes_ != 0):
                n = r.randrange(1, 5000)
                line, bytes_ = 'asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%%0], %d;" : : %s : "memory");' % (n, address), bytes_ + n
            elif k < .75 and bytes_ > 0:
                n = bytes_ if r.random() < .6 else r.randrange(1, bytes_ + 1)
                line, bytes_, did = 'asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%%0], %d;" : : %s : "memory");' % (n, address), bytes_ - n, True
            if line is None:
                continue
            text += pad + '  ' + line + '\n'
            if did and pending == 0 and bytes_ == 0:
                pending, phase = expected, phase + 1
            if 'mbarrier.arrive' in line:
                states = last
                text += pad + '  asm volatile("mbarrier.pending_count.b64 %%0, %%1;" : "=r"(p) : "l"(s)); u[%d] = stir(u[%d], p);\n' % (pick(), pick())
            for _ in range(r.randrange(3)):
                how = r.choice(['test_wait', 'test_wait', 'try_wait'])
                if r.random() < .4 and states != [] and phase - states <= 1:
                    text += pad + '  asm volatile("{ .reg .pred p; mbarrier.%s.shared.b64 p, [%%1], %%2; selp.u32 %%0, 1, 0, p; }" : "=r"(p) : %s, "l"(s) : "memory"); u[%d] = stir(u[%d], p);\n' % (
                        'test_wait', address, pick(), pick())
                else:
                    text += pad + '  asm volatile("{ .reg .pred p; mbarrier.%s.parity.shared.b64 p, [%%1], %d%s; selp.u32 %%0, 1, 0, p; }" : "=r"(p) : %s : "memory"); u[%d] = stir(u[%d], p);\n' % (
                        how, r.randrange(2), ', %d' % r.choice([0, 100, 5000]) if how == 'try_wait' else '', address, pick(), pick())
        return text + pad + '  } meet(); inval(%d); meet(); }\n' % b

    def arrivals(self, pad):
        """All threads arrive here and elsewhere for some phases; behind each wait what was stored is read."""
        r = self.r
        b, turns, there = r.randrange(4), r.randrange(1, 5), self.ctas > 1 and r.random() < .6
        to = self.neighbour() if there else 'rank'
        which = r.randrange(6)
        step = r.randrange(1, self.threads)
        text = pad + '{ init(%d, %d); meet();\n' % (b, self.threads)
        text += pad + '  for (unsigned n = 0; n < %d; ++n) {\n' % turns
        if there:
            text += pad + '    asm volatile("st.shared::cluster.u32 [%%0], %%1;" : : "r"(there((n & 1) * 4096 + threadIdx.x * 4, %s)), "r"(u[%d]) : "memory"); arrive_there(%d, %s);\n' % (to, which, b, to)
        else:
            text += pad + '    ((unsigned*)room)[(n & 1) * 1024 + threadIdx.x] = u[%d]; arrive(%d);\n' % (which, b)
        text += pad + '    wait(%d, n & 1); u[%d] = stir(u[%d], ((unsigned*)room)[(n & 1) * 1024 + (threadIdx.x + %d) %% %d]);%s\n' % (
            b, which, r.randrange(6), step, self.threads, ' meet();' if there or r.random() < .5 else ' __syncthreads();')
        return text + pad + '  }\n' + pad + '  meet(); inval(%d); }\n' % b

    def matrices(self, pad):
        """A warp's 2 KB, its own or (written) another CTA's: stmatrix and ldmatrix."""
        r = self.r
        n, m = r.choice([1, 2, 4]), r.choice([1, 2, 4])
        registers = lambda first, count: '{' + ', '.join('%%%d' % (first + k) for k in range(count)) + '}'
        text = pad + '{ fill(0, %d, u[%d], 0); __syncthreads(); const unsigned mine = at(threadIdx.x / 32 * 2048), lane = threadIdx.x & 31; unsigned v[4];\n' % (self.threads * 64, r.randrange(6))
        text += pad + '  asm volatile("stmatrix.sync.aligned.m8n8.x%d%s.shared.b16 [%%0], %s;" : : "r"(mine + ((lane * %d + %d) & 127) * 16), %s : "memory"); __syncwarp();\n' % (
            n, r.choice(['', '.trans']), registers(1, n), r.choice([1, 3, 5, 7]), r.randrange(128), ', '.join('"r"(u[%d])' % r.randrange(6) for _ in range(n)))
        text += pad + '  asm volatile("ldmatrix.sync.aligned.m8n8.x%d%s.shared.b16 %s, [%%%d];" : %s : "r"(mine + ((lane * %d + %d) & 127) * 16) : "memory");\n' % (
            m, r.choice(['', '.trans']), registers(0, m), m, ', '.join('"=r"(v[%d])' % k for k in range(m)), r.choice([1, 2, 3, 8, 9]), r.randrange(128))
        return text + pad + '  ' + ' '.join('u[%d] = stir(u[%d], v[%d]);' % (r.randrange(6), r.randrange(6), k) for k in range(m)) + ' meet(); u[%d] = absorb(room, %d, u[%d]); meet(); }\n' % (
            r.randrange(6), self.threads * 64, r.randrange(6))

    def copies_arrive(self, pad):
        """cp.async of every thread, of which the mbarrier hears."""
        r = self.r
        b, n = r.randrange(4), r.randrange(1, 4)
        is_counted = r.random() < .5  # without .noinc the arrival adds one to what is pending
        text = pad + '{ init(%d, %d); fill(0, %d, u[%d], 0); meet();\n' % (b, self.threads, self.threads * 64, r.randrange(6))
        for k in range(n):
            size = r.choice([4, 8, 16])
            text += pad + '  asm volatile("cp.async.%s.shared.global [%%0], [%%1], %d%s;" : : "r"(at(threadIdx.x * 64 + %d)), "l"(in + (u[%d] & 4095) * 16) : "memory");\n' % (
                r.choice(['cg', 'ca']) if size == 16 else 'ca', size, r.choice(['', ', %d' % r.randrange(size + 1)]), 16 * k, r.randrange(6))
        text += pad + '  asm volatile("cp.async.mbarrier.arrive%s.shared.b64 [%%0];" : : "r"(at(kBars + %d * 8)) : "memory");%s\n' % (
            '' if is_counted else '.noinc', b, ' arrive(%d);' % b if is_counted else '')
        return text + pad + '  wait(%d, 0); u[%d] = absorb(room, %d, u[%d]); meet(); inval(%d); }\n' % (b, r.randrange(6), self.threads * 64, r.randrange(6), b)

    def sums_meet(self, pad):
        """All CTAs add their shared memory to the same global memory, in groups that are waited for one by one."""
        r = self.r
        op, n, size, to = r.choice(['add.u32', 'add.s32', 'add.u64', 'min.u32', 'max.s32', 'min.s64', 'max.u64', 'and.b32', 'or.b64', 'xor.b32', 'xor.b64']), r.randrange(1, 5), 16 * r.randrange(1, 65), r.randrange(self.ctas)
        text = pad + '{ fill(0, %d, u[%d], 0); fence_async(); __syncthreads(); if (%s) {\n' % (n * 2048, r.randrange(6), self.one())
        for k in range(n):
            text += pad + '  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.%s [%%0], [%%1], %%2; cp.async.bulk.commit_group;" : : "l"(scratch + %d * kScratch + %d), "r"(at(%d)), "r"(%d) : "memory");\n' % (
                op, to, 16 * r.randrange(128), k * 2048 + 16 * r.randrange(64), size)
            if r.random() < .3:
                text += pad + '  asm volatile("cp.async.bulk.wait_group%s %d;" : : : "memory");\n' % (r.choice(['', '.read']), r.randrange(3))
        return text + pad + '  asm volatile("cp.async.bulk.wait_group 0;" : : : "memory"); } meet(); u[%d] = absorb((const unsigned char*)scratch + %d * kScratch, 4096, u[%d]); meet(); }\n' % (
            r.randrange(6), to, r.randrange(6))
