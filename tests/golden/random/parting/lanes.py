# SPDX-License-Identifier: MIT
"""Statements of parting.py: lanes of a warp that part, and what those that are left do together.

`here` is C++ for the mask of the lanes that stand where the statement stands; None where nobody knows. Lanes that have exited may
be in it: nobody waits for them (PTX ISA, 9.7.9.6). `members` leaves them out."""

CONVERTED = {'u': 'unsigned', 'l': 'Word', 'f': 'float', 'd': 'double', 'p': '__half2', 'q': '__nv_bfloat162', 'h': '__half'}


class Lanes:
    here, left, calls_left = None, False, 6

    def members(self):
        return '__ballot_sync(%s, 1)' % self.here if self.left else self.here

    def condition(self):
        r = self.r
        return r.choice(['(%s >> %d & 1)' % (self.pick('u'), r.randrange(12))] * 3 + ['(%s < %s)' % (self.pick('f'), self.pick('f')), '(%s > %s)' % (self.pick('u'), self.pick('u')), '((%s & 7) < %d)' % (self.pick('u'), r.randrange(1, 8)),
                                                                                   '((lane ^ %s) & %d)' % (self.pick('u'), 1 << r.randrange(5))])

    # ---- what they do together
    def shuffled(self, pad):
        """A member's value, or one that may be nobody's and is not taken then."""
        r, t = self.r, self.r.choice('uuuflldpqh')
        to, value = self.pick(t), self.pick(t)
        if r.random() < .5:
            return '%s%s = __shfl_sync(%s, %s, nth(%s, %s));\n' % (pad, to, self.here, value, self.members(), self.pick('u'))
        width, way = r.choice([32, 32, 16, 8, 4]), r.choice(['up', 'down', 'xor'])
        k = r.randrange(1, width)
        source = {'up': '(lane & %d) >= %d ? lane - %d : lane' % (width - 1, k, k), 'down': '(lane & %d) + %d < %d ? lane + %d : lane' % (width - 1, k, width, k), 'xor': 'lane ^ %d' % k}[way]
        return '%s{ const unsigned there = %s; const %s w = __shfl_%s_sync(%s, %s, %d, %d); if (there >> (%s) & 1) %s = w; }\n' % (pad, self.members(), CONVERTED[t], way, self.here, value, k, width, source, to)

    def voted(self, pad):
        r = self.r
        return pad + r.choice(['{u} ^= __ballot_sync({here}, {c});', 'if (__any_sync({here}, {c})) {u} += 3;', 'if (__all_sync({here}, {c})) {u} ^= {v};', '{u} += __uni_sync({here}, {c}) ? 5 : 9;',
                               '{u} = __match_any_sync({here}, {v} & 3) ^ {u};', '{u} += __match_any_sync({here}, {l} & 1ull);', '{{ int every; {u} ^= __match_all_sync({here}, {v} & {k}, &every); {u} += every; }}',
                               '{{ int every; {u} ^= __match_all_sync({here}, {l} >> 6{k}, &every); {u} -= every; }}']).format(here=self.here, c=self.condition(), u=self.pick('u'), v=self.pick('u'), l=self.pick('l'), k=r.randrange(1, 4)) + '\n'

    def reduced(self, pad):
        r = self.r
        op, sign = r.choice([('add', ''), ('min', ''), ('max', ''), ('min', '(int)'), ('max', '(int)'), ('add', '(int)'), ('and', ''), ('or', ''), ('xor', '')])
        return '%s%s %s __reduce_%s_sync(%s, %s%s);\n' % (pad, self.pick('u'), r.choice(['=', '+=', '^=']), op, self.here, sign, self.pick('u'))

    def elected(self, pad):
        return '%s{ const unsigned there = %s; unsigned w, is_first; asm volatile("{ .reg .pred p; elect.sync %%0|p, %%2; selp.u32 %%1, 1, 0, p; }" : "=r"(w), "=r"(is_first) : "r"(there)); if (is_first) %s += w + 1; else %s ^= w; }\n' % (
            pad, self.members(), self.pick('u'), self.pick('u'))

    def guarded(self, pad):
        """Under a guard, by those of whom it is true; the others keep what they have."""
        r, v = self.r, self.fresh()
        line, extra = r.choice([('shfl.sync.idx.b32 %0, %0, %3, 31, %2', 'nth(m%s, %s)' % (v, self.pick('u'))), ('redux.sync.add.u32 %0, %3, %2', self.pick('u')), ('redux.sync.max.s32 %0, %3, %2', self.pick('u')), ('redux.sync.xor.b32 %0, %3, %2', self.pick('u')),
                                ('match.any.sync.b32 %0, %3, %2', '%s & 3' % self.pick('u')), ('vote.sync.ballot.b32 %0, q, %2', '%s & 2' % self.pick('u')), ('bar.warp.sync %2', '0')])
        return '%s{ const unsigned m%s = __ballot_sync(%s, %s); asm volatile("{ .reg .pred p, q; setp.ne.u32 p, %%1, 0; setp.ne.u32 q, %%3, 0; @p %s; }" : "+r"(%s) : "r"(m%s >> lane & 1), "r"(m%s), "r"(%s) : "memory"); }\n' % (
            pad, v, self.here, self.condition(), line, self.pick('u'), v, v, extra)

    def passed(self, pad):
        """Through shared memory, between barriers of those who are here."""
        sync = self.r.choice(['__syncwarp(%s)', 'asm volatile("bar.warp.sync %%0;" : : "r"(%s) : "memory")']) % self.here
        return '%s{ const unsigned there = %s; %s; swap[tid] = %s; %s; %s += swap[(tid & ~31u) + nth(there, %s)]; %s; }\n' % (pad, self.members(), sync, self.pick('u'), sync, self.pick('u'), self.pick('u'), sync)

    def counted(self, pad):
        op = self.r.choice(['Add', 'Xor', 'Max', 'Min', 'Or', 'And'])
        return '%s{ unsigned* first = swap + (tid & ~31u) + __ffs(%s) - 1; __syncwarp(%s); *first = 77; __syncwarp(%s); atomic%s(first, %s); __syncwarp(%s); %s ^= *first; __syncwarp(%s); }\n' % (
            pad, self.members(), self.here, self.here, op, self.pick('u'), self.here, self.pick('u'), self.here)

    def in_turn(self, pad):
        """Every lane waits for the one before it, in a loop; or for a lock."""
        u, v, h = self.pick('u'), self.pick('u'), self.here
        head = '%s{ const unsigned there = %s, rank = __popc(there & ((1u << lane) - 1)); volatile unsigned* turn = swap + (tid & ~31u) + __ffs(there) - 1; volatile unsigned* sum = other + (tid & ~31u) + __ffs(there) - 1; __syncwarp(%s); *turn = 0; *sum = 5; __syncwarp(%s);\n' % (pad, self.members(), h, h)
        if self.r.random() < .6:
            head += '%s  for (bool done = false; !done;) if (*turn == rank) { const unsigned w = *sum * 3 + %s; *sum = w; __threadfence_block(); *turn = rank + 1; done = true; }\n' % (pad, v)
        else:
            head += '%s  (void)rank; for (bool done = false; !done;) if (atomicCAS((unsigned*)turn, 0, 1) == 0) { __threadfence_block(); *sum = *sum + %s; __threadfence_block(); atomicExch((unsigned*)turn, 0); done = true; }\n' % (pad, v)
        return head + '%s  __syncwarp(%s); %s ^= *sum; __syncwarp(%s); }\n' % (pad, h, u, h)

    def called(self, pad):
        r, h = self.r, self.here
        kind = r.randrange(6)
        if kind > 3:
            return '%s%s ^= %s(%s, %s & 15);\n' % (pad, self.pick('u'), ['on_stack', 'from_heap'][kind - 4], self.pick('u'), self.pick('u'))
        if kind == 0:
            return '%s%s ^= meet_once(%s, %s, %s);\n' % (pad, self.pick('u'), h, self.pick('u'), self.members())
        if kind == 1:
            return '%s%s = shrink(%s, %s, %d);\n' % (pad, self.pick('u'), self.members(), self.pick('u'), r.randrange(2))
        if kind == 2:
            return '%s{ const unsigned which = %s & 3, mine_ = __match_any_sync(%s, which); %s = kMeets[which](mine_, %s); }\n' % (pad, self.pick('u'), h, self.pick('u'), self.pick('u'))
        return '%s%s += drained(%s, %s & 7, %s);\n' % (pad, self.pick('u'), h, self.pick('u'), self.pick('u'))

    # ---- how they part
    def body(self, pad, here, least=1):
        saved = self.here, self.block, self.level, self.depth
        self.here, self.block, self.level, self.depth = here, False, 0, self.depth + 1
        text = ''.join(self.statement(pad + '  ') for _ in range(self.r.randrange(least, 4)))
        self.here, self.block, self.level, self.depth = saved
        return text

    def branch(self, pad):
        r, v = self.r, self.fresh()
        text = '%s{ const unsigned m%s = __ballot_sync(%s, %s), n%s = %s & ~m%s; (void)n%s;\n' % (pad, v, self.here, self.condition(), v, self.members(), v, v)
        text += '%s  if (m%s >> lane & 1) {\n%s%s  }' % (pad, v, self.body(pad + '  ', 'm' + v), pad)
        return text + (' else {\n%s%s  }' % (self.body(pad + '  ', 'n' + v), pad) if r.random() < .6 else '') + '\n%s}\n' % pad

    def paths(self, pad):
        r, v, n = self.r, self.fresh(), self.r.randrange(2, 5)
        text = '%s{ const unsigned way%s = %s %% %du, m%s = __match_any_sync(%s, way%s); switch (way%s) {\n' % (pad, v, self.pick('u'), n + 1, v, self.here, v, v)
        for k in range(n):
            text += '%s  case %d: {\n%s%s  } break;\n' % (pad, k, self.body(pad + '  ', 'm' + v), pad)
        return text + '%s  default: %s += m%s; } }\n' % (pad, self.pick('u'), v)

    def draining(self, pad):
        """A loop that lanes leave one by one; those that are left know each other."""
        r, v = self.r, self.fresh()
        saved, self.may_leave = self.may_leave, False  # what stands before in the body comes again
        text = '%s{ unsigned m%s = %s, k%s = 0; for (;; ++k%s) {\n' % (pad, v, self.here, v, v)
        text += '%s  const bool goes_on = k%s < %d && %s; m%s = __ballot_sync(m%s, goes_on); if (!goes_on) break;\n' % (pad, v, r.randrange(2, 7), self.condition(), v, v)
        text += self.body(pad, 'm' + v)
        if r.random() < .5:
            c = 'c' + v
            text += '%s  const unsigned %s = __ballot_sync(m%s, %s); if (%s >> lane & 1) {\n%s%s    continue; }\n' % (pad, c, v, self.condition(), c, self.body(pad + '  ', c, 0), pad)
            text += self.body(pad, '(m%s & ~%s)' % (v, c))
        self.may_leave = saved
        return text + '%s  %s += k%s + 1; } }\n' % (pad, self.pick('u'), v)

    def groups(self, pad):
        """Each group of lanes turns as often as it likes, at the same instructions as the others."""
        v = self.fresh()
        saved, self.may_leave = self.may_leave, False
        text = '%s{ const unsigned m%s = __match_any_sync(%s, %s & %d), t%s = __shfl_sync(m%s, %s, __ffs(m%s) - 1) & 3; for (unsigned k%s = 0; k%s < t%s; ++k%s) {\n' % (
            pad, v, self.members() if self.left else self.here, self.pick('u'), self.r.choice([1, 2, 3, 6]), v, v, self.pick('u'), v, v, v, v, v)
        text += self.body(pad, 'm' + v) + '%s  %s += k%s; } }\n' % (pad, self.pick('u'), v)
        self.may_leave = saved
        return text

    def waterfall(self, pad):
        """The first one's number, and those that have the same; then the next one's, until nobody is left."""
        v = self.fresh()
        text = '%s{ const unsigned key%s = %s & %d; for (unsigned left%s = %s; left%s != 0;) {\n' % (pad, v, self.pick('u'), self.r.choice([1, 3, 5]), v, self.members(), v)
        text += '%s  const unsigned chosen%s = __shfl_sync(%s, key%s, __ffs(left%s) - 1), m%s = __ballot_sync(%s, key%s == chosen%s); left%s &= ~m%s;\n' % (pad, v, self.here, v, v, v, self.here, v, v, v, v)
        saved, self.may_leave = self.may_leave, False
        text += '%s  if (m%s >> lane & 1) {\n%s%s  } %s ^= chosen%s; } }\n' % (pad, v, self.body(pad + '  ', 'm' + v), pad, self.pick('u'), v)
        self.may_leave = saved
        return text

    def leave(self, pad):
        """Some lanes exit; the others go on, with masks that still name them."""
        self.left, self.may_leave = True, self.r.random() < .3
        return '%sif ((%s & 3) == 1 && %s && tid != 0) { END_OF_KERNEL return; }\n' % (pad, self.pick('u'), self.condition())

    def lanes_statement(self, pad):
        r = self.r
        if self.depth < 4 and self.calls_left > 0 and r.random() < .3:
            self.calls_left -= 1
            return r.choice([self.branch, self.branch, self.paths, self.draining, self.draining, self.groups, self.waterfall])(pad)
        if self.may_leave and r.random() < .08:
            return self.leave(pad)
        return r.choice([self.shuffled] * 4 + [self.voted] * 4 + [self.reduced] * 2 + [self.elected, self.passed, self.counted, self.in_turn] + [self.guarded] * 2 + [self.called] * 2)(pad)
