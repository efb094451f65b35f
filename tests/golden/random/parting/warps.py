# SPDX-License-Identifier: MIT
"""Statements of parting.py: what whole warps do under guards and one after the other, what warps of a block hand over to each
other, and blocks of a cluster or of the grid. Blocks have up to three dimensions, and not always whole warps."""
from together import BITS, KIND, MMA, registers

SPECIAL = [name + d for name in ('tid.', 'ntid.', 'ctaid.', 'nctaid.', 'clusterid.', 'nclusterid.', 'cluster_ctaid.', 'cluster_nctaid.') for d in 'xyz'] + \
    'laneid cluster_ctarank cluster_nctarank lanemask_lt lanemask_le lanemask_eq lanemask_ge lanemask_gt'.split()
MEMORY = ' : "memory");\n'


class Warps:
    # ---- a whole warp's
    def uniform(self):
        return self.r.choice(['__any_sync(~0u, %s & 1)' % self.pick('u'), '__all_sync(~0u, %s & 3)' % self.pick('u'), '(warp & 1)', '(__reduce_add_sync(~0u, %s) & 2)' % self.pick('u')])

    def guarded_product(self, pad):
        """D is C; under a guard that the warp's lanes share."""
        r = self.r
        m, n, k, dt, at, bt, behind = r.choice([t for t in MMA if t[4][0] != 'e'])
        double = 2 if dt == 'f64' else 1
        counts = [max(1, e * BITS[t] // 1024 // double) for e, t in ((m * n, dt), (m * k, at), (k * n, bt))]
        kind, letter, to = KIND[dt]
        v, all_ = self.fresh(), sum(counts)
        word = lambda real: self.pick('d') if dt == 'f64' else self.f32() if real else self.word()
        name = 'mma.sync.aligned.m%dn%dk%d.row.col%s.%s.%s.%s.%s%s' % (m, n, k, behind * (behind == '.satfinite'), dt, at, bt, dt, behind * ('popc' in behind))
        text = '%s{ %s %s[%d] = {%s};\n' % (pad, kind, v, counts[0], ', '.join(word(dt == 'f32') for _ in range(counts[0])))
        ins = ', '.join('"%s"(%s)' % (letter if dt == 'f64' else 'r', word(False)) for _ in range(counts[1] + counts[2]))
        d = registers(0, counts[0])
        text += '%s  for (unsigned k = 0; k < %s; ++k) asm volatile("{ .reg .pred p; setp.ne.u32 p, %%%d, 0; %s%s %s, %s, %s, %s; }" : %s : %s, "r"((unsigned)%s));\n' % (
            pad, r.choice(['1', '2', '(%s ? 3 : 1)' % self.uniform()]), all_, r.choice(['@p ', '@!p ']), name, d, registers(counts[0], counts[1]), registers(counts[0] + counts[1], counts[2]), d,
            ', '.join('"+%s"(%s[%d])' % (letter, v, x) for x in range(counts[0])), ins, self.uniform())
        return text + pad + ' ' + ''.join(' %s %s %s[%d];' % (self.pick(to), '=' if to in 'fd' else '^=', v, x) for x in range(counts[0])) + ' }\n'

    def chain(self, pad):
        """ldmatrix by generic addresses, turned, multiplied, D packed as the next A, stored by stmatrix, read by another lane."""
        r, v = self.r, self.fresh()
        t = r.choice(['f16', 'bf16'])
        turn = lambda name: 'asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %%0, %%0;" : "+r"(%s));' % name if r.random() < .4 else ''
        text = '%s{ unsigned* own = (unsigned*)(own_room + warp * 4096); __syncwarp(); for (int k = 0; k < 32; ++k) own[k * 32 + lane] = %s(%s * (2 * k + 1) + lane); __syncwarp();\n' % (pad, 'sane' if t == 'f16' else 'sane_b', self.pick('u'))
        text += '%s  unsigned a%s[4], b%s[4]; float d%s[2][4] = {{%s, 0.5f, 0.25f, 1.0f}, {0.0f, %s, 2.0f, 3.0f}};\n' % (pad, v, v, v, 'tame(%s)' % self.pick('f'), 'tame(%s)' % self.pick('f'))
        row = r.choice(['(lane * %d + %s) & 255' % (r.choice([1, 3, 5]), self.pick('u')), '%s & 255' % self.pick('u'), '(lane ^ (lane >> 2 & 3)) * 2'])
        text += '%s  asm volatile("ldmatrix.sync.aligned.m8n8.x4%s.b16 {%%0, %%1, %%2, %%3}, [%%4];" : %s : "l"(own + (%s) * 4)%s' % (pad, r.choice(['', '.trans']), ', '.join('"=r"(a%s[%d])' % (v, k) for k in range(4)), row, MEMORY)
        text += '%s  for (unsigned n = 0; n < %s; ++n) {\n' % (pad, r.choice(['2', '3', '(__reduce_max_sync(~0u, %s) & 3)' % self.pick('u')]))
        text += '%s    asm volatile("ldmatrix.sync.aligned.m8n8.x4%s.shared::cta.b16 {%%0, %%1, %%2, %%3}, [%%4];" : %s : "r"((unsigned)__cvta_generic_to_shared(own) + ((lane * %d + n * 5) & 255) * 16)%s' % (
            pad, r.choice(['', '.trans']), ', '.join('"=r"(b%s[%d])' % (v, k) for k in range(4)), r.choice([1, 7, 9]), MEMORY)
        text += '%s    %s\n' % (pad, turn('b%s[%d]' % (v, r.randrange(4))))
        for h in range(2):
            text += '%s    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.%s.%s.f32 {%%0, %%1, %%2, %%3}, {%%4, %%5, %%6, %%7}, {%%8, %%9}, {%%0, %%1, %%2, %%3};" : %s : %s);\n' % (
                pad, t, t, ', '.join('"+f"(d%s[%d][%d])' % (v, h, k) for k in range(4)), ', '.join(['"r"(a%s[%d])' % (v, k) for k in range(4)] + ['"r"(b%s[%d])' % (v, 2 * h + k) for k in range(2)]))
        scale = r.choice(['0.125f', '1.0f', '-0.5f'])
        for k in range(4):
            text += '%s    a%s[%d] = %s(tame(d%s[%d][%d]) * %s, tame(d%s[%d][%d]) * %s); %s\n' % (pad, v, k, 'pack2' if t == 'f16' else 'pack2_b', v, k // 2, k % 2 * 2, scale, v, k // 2, k % 2 * 2 + 1, scale, turn('a%s[%d]' % (v, k)))
        text += pad + '  }\n'
        order = r.choice(['lane', 'lane ^ %d' % r.randrange(32), '(lane * 5 + 3 & 31)', '31 - lane'])
        return text + '%s  __syncwarp(); asm volatile("stmatrix.sync.aligned.m8n8.x4%s.b16 [%%0], {%%1, %%2, %%3, %%4};" : : "l"(own + (%s) * 4), %s%s%s  __syncwarp(); %s ^= own[%s & 127]; %s = tame(d%s[%d][%d]); __syncwarp(); }\n' % (
            pad, r.choice(['', '.trans']), order, ', '.join('"r"(a%s[%d])' % (v, k) for k in range(4)), MEMORY, pad, self.pick('u'), self.pick('u'), self.pick('f'), v, r.randrange(2), r.randrange(4))

    # ---- a block's
    def swapped(self, pad):
        r = self.r
        tell = r.choice(['', ' %s += __syncthreads_count(%s);' % (self.pick('u'), self.condition()), ' if (__syncthreads_or(%s)) %s ^= 21;' % (self.condition(), self.pick('u')), ' if (__syncthreads_and(%s)) %s ^= 9;' % (self.condition(), self.pick('u'))])
        return '%s__syncthreads(); swap[tid] = %s; __syncthreads(); %s = %s * 3 + swap[(tid * %d + %d) %% %d];%s __syncthreads();\n' % (pad, self.pick('u'), self.pick('u'), self.pick('u'), r.choice([1, 1, 3, 5]), r.randrange(self.threads), self.threads, tell)

    def rings(self, pad):
        """Warps that fill and warps that read, by barriers of their number; or by mbarriers, with arrivals in parts."""
        r = self.r
        if self.threads % 32 or self.threads < 64 or self.left:
            return self.arrivals(pad)
        stages, turns, fill = r.randrange(1, 3), r.randrange(2, 7), 32 * r.randrange(1, self.threads // 32)
        full, empty = 1 + r.randrange(3), 8 + r.randrange(3)
        form = lambda way, first: 'asm volatile("%s %%0, %%1;" : : "r"(%d + k %% %d), "r"(%d) : "memory");' % (r.choice(['bar.%s', 'barrier.cta.%s.aligned', 'barrier.%s']) % way, first, stages, self.threads)
        text = '%s{ __syncthreads(); if (tid < %d) for (unsigned k = 0; k < %d; ++k) { if (k >= %d) { %s }\n' % (pad, fill, turns, stages, form('sync', empty))
        text += '%s    own_room[k %% %d * 4096 + tid] = (unsigned char)(%s >> (k & 7)); %s }\n' % (pad, stages, self.pick('u'), form('arrive', full))
        text += '%s  else for (unsigned k = 0; k < %d; ++k) { %s\n' % (pad, turns, form('sync', full))
        return text + '%s    %s = %s * 5 + own_room[k %% %d * 4096 + (tid * 3 + k) %% %d]; if (k + %d < %d) { %s } }\n%s  __syncthreads(); }\n' % (
            pad, self.pick('u'), self.pick('u'), stages, fill, stages, turns, form('arrive', empty), pad)

    def arrivals(self, pad):
        """Every thread arrives, some for several, some in parts; bytes are expected by one and come by another; for some phases."""
        r = self.r
        turns, generic, step = r.randrange(1, 5), r.random() < .5, r.randrange(self.threads)
        space, address = ('', '"l"(bars + 1)') if generic else (r.choice(['.shared', '.shared::cta']), '"r"(bar + 8)')
        many = r.choice([1, 1, 2, 3, 4])  # a thread arrives for as many as its number says
        text = '%s{ const unsigned many = 1 + tid %% %d; __syncthreads(); if (tid == 0) { swap[0] = 0; } __syncthreads(); atomicAdd(swap, many); __syncthreads();\n' % (pad, many)
        text += '%s  if (tid == 0) asm volatile("mbarrier.init%s.b64 [%%0], %%1;" : : %s, "r"(swap[0])%s%s  __syncthreads();\n' % (pad, space, address, MEMORY, pad)
        text += '%s  for (unsigned k = 0; k < %d; ++k) { other[k %% 2 * 128 + tid] = %s + k; Word state; (void)state;\n' % (pad, turns, self.pick('u'))
        if r.random() < .4:
            size = 8 * r.randrange(1, 40)
            text += '%s    if (tid %% 5 == 0) asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%%0], %%1;" : : "r"(bar + 8), "r"(%d + tid)%s' % (pad, size, MEMORY)
            text += '%s    if (tid %% 5 == 0) { asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%%0], %%1;" : : "r"(bar + 8), "r"(%d)%s' % (pad, size // 2, MEMORY)
            text += '%s      asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%%0], %%1;" : : "r"(bar + 8), "r"(%d + tid)%s%s    }\n' % (pad, size - size // 2, MEMORY, pad)
        if many > 1 and r.random() < .5:
            text += '%s    if (many > 1) asm volatile("mbarrier.arrive.noComplete%s.b64 %%0, [%%1], %%2;" : "=l"(state) : %s, "r"(many - 1)%s' % (pad, space, address, MEMORY)
            text += '%s    asm volatile("mbarrier.arrive%s.b64 %%0, [%%1];" : "=l"(state) : %s%s' % (pad, space, address, MEMORY)
        else:
            text += '%s    asm volatile("mbarrier.arrive%s%s.b64 %%0, [%%1], %%2;" : "=l"(state) : %s, "r"(many)%s' % (pad, r.choice(['', '.release.cta']), space, address, MEMORY)
        wait = r.choice(['mbarrier.try_wait%s%s.b64 p, [%%1], %%2', 'mbarrier.test_wait%s%s.b64 p, [%%1], %%2'])
        by_state = r.random() < .5
        form = wait % ('' if by_state else '.parity', r.choice(['', '.acquire.cta']) + space)
        text += '%s    unsigned done; do asm volatile("{ .reg .pred p; %s; selp.u32 %%0, 1, 0, p; }" : "=r"(done) : %s, "%s"(%s)%s' % (pad, form, address, 'l' if by_state else 'r', 'state' if by_state else 'k & 1', MEMORY)
        text += '%s    while (!done);\n%s    %s = %s * 3 + other[k %% 2 * 128 + (tid + %d) %% %d]; }\n' % (pad, pad, self.pick('u'), self.pick('u'), step, self.threads)
        return text + '%s  __syncthreads(); if (tid == 0) asm volatile("mbarrier.inval%s.b64 [%%0];" : : %s%s%s  __syncthreads(); }\n' % (pad, space, address, MEMORY, pad)

    def where(self, pad):
        return '%s{ unsigned w; asm("mov.u32 %%0, %%%%%s;" : "=r"(w)); %s = %s * %du + w; }\n' % (pad, self.r.choice(SPECIAL), self.pick('u'), self.pick('u'), self.r.choice([3, 5, 17]))

    def given(self, pad):
        """The parameters: a struct of everything, by name and by what comes."""
        r = self.r
        field, kind = r.choice(self.fields)
        into = {'float': '%s = tame(given.%s);' % (self.pick('f'), field), 'double': '%s = given.%s;' % (self.pick('d'), field)}.get(kind, '%s ^= (Word)given.%s;' % (self.pick('l'), field))
        return pad + r.choice([into, into, '%s += ((const unsigned char*)&given)[%s %% sizeof(given)];' % (self.pick('u'), self.pick('u')), '%s ^= given.last[%s & 7];' % (self.pick('u'), self.pick('u'))]) + '\n'

    # ---- a cluster's and the grid's
    def neighbours(self, pad):
        """Other blocks' shared memory, between arriving and waiting something of a lane's own."""
        r = self.r
        arrive, wait = r.choice([('', ''), ('.release', '.acquire')]), None
        arrive, wait = arrive
        aligned = '.aligned' if self.threads % 32 == 0 and not self.left and r.random() < .5 else ''
        meet = lambda own='': 'asm volatile("barrier.cluster.arrive%s%s;" : : : "memory");%s asm volatile("barrier.cluster.wait%s%s;" : : : "memory");' % (arrive, aligned, own, wait, aligned)
        own = ' %s = stirred(%s, %s);' % (self.pick('u'), self.pick('u'), self.pick('u'))
        read = r.choice(['cg::this_cluster().map_shared_rank(swap, to)[(tid + %d) %% %d]' % (r.randrange(self.threads), self.threads), 'far(swap + (tid + %d) %% %d, to)' % (r.randrange(self.threads), self.threads)])
        to = '(cg::this_cluster().block_rank() + %d) %% %d' % (r.randrange(self.ctas), self.ctas)
        if r.random() < .5:
            return '%s{ const unsigned to = %s; %s swap[tid] = %s; %s %s += %s; %s }\n' % (pad, to, meet(), self.pick('u'), meet(own), self.pick('u'), read, meet())
        op = r.choice(['Add', 'Xor', 'Max', 'Or'])
        return '%s{ const unsigned to = %s; %s swap[tid] = tid; %s atomic%s(cg::this_cluster().map_shared_rank(swap, to) + %s %% %d, %s); %s %s ^= swap[tid]; %s }\n' % (
            pad, to, meet(), meet(own), op, self.pick('u'), self.threads, self.pick('u'), meet(own), self.pick('u'), meet())

    def in_order(self, pad):
        """Block after block, by flags in global memory; or the last one sums up what all of them wrote."""
        r = self.r
        slot, self.slots = self.slots, self.slots + 1
        if r.random() < .6:
            return '%s{ __syncthreads(); if (tid == 0) { unsigned got = 7; if (block > 0) do got = first_of(cells + %d + block - 1); while (got == 0); swap[0] = got; hand_over(cells + %d + block, (got * 5 + %s) | 1); } __syncthreads(); %s ^= swap[0]; __syncthreads(); }\n' % (
                pad, slot * 64, slot * 64, self.pick('u'), self.pick('u'))
        return '%s{ __syncthreads(); if (tid == 0) { cells[%d + block] = %s; __threadfence(); if (atomicInc(cells + %d, %d) == %d) { __threadfence(); unsigned sum = 0; for (int n = 0; n < %d; ++n) sum = sum * 3 + ((volatile unsigned*)cells)[%d + n]; cells[%d] = sum; } } __syncthreads(); }\n' % (
            pad, slot * 64, self.pick('u'), slot * 64 + 62, self.blocks - 1, self.blocks - 1, self.blocks, slot * 64, slot * 64 + 63)

    def all_blocks(self, pad):
        to = '((block + %d) %% %d * 128 + (tid + %d) %% %d)' % (self.r.randrange(self.blocks), self.blocks, self.r.randrange(self.threads), self.threads)
        return '%s{ unsigned* mine_ = cells + 2048; mine_[block * 128 + tid] = %s; cg::this_grid().sync(); const unsigned w = ((volatile unsigned*)mine_)[%s]; cg::this_grid().sync(); %s = %s * 3 + w; }\n' % (pad, self.pick('u'), to, self.pick('u'), self.pick('u'))
