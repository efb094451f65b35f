# SPDX-License-Identifier: MIT
"""Tensor maps of hopper.py: random ones that the driver takes, and where copies by them may begin."""
from copy import copy

TYPES = [('UINT8', 1), ('UINT16', 2), ('UINT32', 4), ('INT32', 4), ('UINT64', 8), ('INT64', 8), ('FLOAT16', 2), ('FLOAT32', 4),
         ('FLOAT64', 8), ('BFLOAT16', 2), ('FLOAT32_FTZ', 4), ('TFLOAT32', 4), ('TFLOAT32_FTZ', 4)]
SUMS = {'UINT32': 'add min max inc dec and or xor', 'INT32': 'add min max and or xor', 'UINT64': 'add min max and or xor', 'INT64': 'min max',
        'FLOAT16': 'add min max', 'BFLOAT16': 'add min max', 'FLOAT32': 'add', 'FLOAT32_FTZ': 'add'}


def up(n, to):
    return (n + to - 1) // to * to


class Map:
    """A tensor map, and where a copy by it may begin."""

    def __init__(self, r, is_out, types=None, room=12288):
        while not self.choose(r, is_out, types or TYPES, room):
            pass

    def choose(self, r, is_out, types, room):
        self.type, self.bytes = r.choice(types)
        b = self.bytes
        self.is_pixels = r.random() < .3
        self.interleave = r.choice([0] * 8 + [1, 2])
        self.rank = r.randrange(3 if self.interleave or self.is_pixels else 1, 6)
        self.swizzle = r.choice([0, 0, 1, 2, 3])
        self.nan = int('FLOAT' in self.type and r.random() < .3)
        rank, slice_, unit = self.rank, 16 * self.interleave, max(1, 16 // b)
        width = 16 << self.swizzle if self.swizzle else 256
        n = {1: 0, 2: 40, 3: 9, 4: 6, 5: 4}[rank]
        self.size = [r.randrange(1, 13) if self.interleave else max(1, r.randrange(1, 400) // b)] + [r.randrange(1, n + 1) for _ in range(rank - 1)]
        grain, self.stride = max(16, slice_), []
        bytes_ = slice_ * self.size[0] if self.interleave else self.size[0] * b
        for d in range(rank - 1):
            self.stride.append(up(bytes_, grain) + grain * r.choice([0, 0, 1, 2]))
            bytes_ = self.stride[-1] * self.size[d + 1]
        self.span = bytes_
        self.step = [r.choice([1] * 5 + [2, 3, 8]) for _ in range(rank)]
        self.box = [unit * r.randrange(1, max(2, min(width // b, 256) // unit + 1))] + [r.choice([1, 2, 3, 4, 8, r.randrange(1, 41), r.randrange(1, 257)]) for _ in range(rank - 1)]
        if self.interleave:
            self.box[0] = unit * r.randrange(1, 2 if b == 1 else 3)
        rows = 1
        for d in range(0 if self.interleave else 1, rank):
            if not (self.interleave and d == rank - 2):
                rows *= -(-self.box[d] // self.step[d])
        inner = rank - 2
        low = lambda: 0 if is_out else -r.randrange(4)
        self.lower, self.upper, self.pixels = [], [], r.choice([1, 8, r.randrange(1, 64), r.randrange(1, 200)])
        if self.is_pixels:
            first = 0 if self.interleave else 1
            for d in range(inner):
                while True:
                    lower, upper = (r.randrange(3), -r.randrange(3)) if is_out else (r.randrange(-3, 3), r.randrange(-4, 3))
                    if self.size[d + first] - 1 + upper >= lower:
                        break
                    if self.size[d + first] == 1:
                        lower = upper = 0
                        break
                self.lower.append(lower)
                self.upper.append(upper)
            rows = self.pixels
        row = slice_ or self.box[0] * b
        self.count = rows * row
        self.area = rows * (max(row, 16 << self.swizzle) if self.swizzle else row)
        if self.area > room or self.span > (40960 if is_out else 1 << 17) or self.count >= 1 << 20:
            return False
        # where it begins: a constant, and what may be added as often as a number of 0 to 1 says
        self.at, self.more = [], []
        for d in range(rank):
            s, x = self.size[d], self.box[d]
            k = d - (0 if self.interleave else 1)
            if self.is_pixels and 0 <= k < inner:
                a, e = self.lower[k], self.size[d] - 1 + self.upper[k]
                begin = r.randrange(a, e + 1)
                self.more.append(1 if begin < e else 0)
            elif d == 0 and not self.interleave:
                begin = unit * r.randrange(0 if is_out else -(x // unit) - 1, s // unit + 2)
                self.more.append(unit)
            else:
                x = min(x, 6)
                begin = r.randrange(0 if is_out else -x - 1, s + 2)
                self.more.append(1)
            if r.random() < .5 and not (self.is_pixels and 0 <= k < inner):  # mostly inside
                begin = max(0, min(begin, (s - 1) // (unit if d == 0 and not self.interleave else 1) * (unit if d == 0 and not self.interleave else 1)))
            if r.random() < .03 and not (self.is_pixels and 0 <= k < inner):  # far outside
                begin = r.choice([1 << 20, 0x7ffffff0 if is_out else -(1 << 20), 1 << 30, 0x7ffffff0])
                self.more[-1] = 0
            self.at.append(begin)
        most = {3: 65535, 4: 255, 5: 31}[rank] if rank > 2 else 0
        self.offset = [r.choice([0, 1, 2, 3, r.randrange(most + 1)]) for _ in range(max(0, inner))] if self.is_pixels else []
        return True

    def encode(self, which, where):
        """C++ that makes map `which` at `where`."""
        braces = lambda numbers: '{' + ', '.join(map(str, numbers)) + '}'
        head = '%s_map(maps.m[%d], CU_TENSOR_MAP_DATA_TYPE_%s, %d, %d, %%d, %d, %s, %s, %s, %s' % (
            'pixel' if self.is_pixels else 'tile', which, self.type, self.interleave, self.swizzle, self.nan, where, braces(self.size), braces(self.stride or [16]), braces(self.step))
        if self.is_pixels:
            return head + ', %s, %s, %d, %d)' % (braces(self.lower), braces(self.upper), self.box[0], self.pixels)
        return head + ', %s)' % braces(self.box)

    def changed(self, r):
        """Another map, legal as well, and the PTX that makes this one of it: {} is the map's address, new(n) where it is."""
        other, lines = copy(self), []
        field = lambda name, text: lines.append('tensormap.replace.tile.%s' % name + '.shared::cta.b1024.' + text)
        if r.random() < .8:
            other.moved = 64
            lines.append('address')
        for d in range(self.rank):
            if r.random() < .3:
                other.size = list(other.size)
                other.size[d] += r.randrange(1, 4) * (1 if d else 0)
                field('global_dim', 'b32 [%%0], %d, %d' % (d, self.size[d]))
            if d and r.random() < .3:
                other.stride = list(other.stride)
                other.stride[d - 1] += 32 * r.randrange(3)
                field('global_stride', 'b64 [%%0], %d, %d' % (d - 1, self.stride[d - 1]))
            if r.random() < .3:
                other.step = list(other.step)
                other.step[d] = r.randrange(1, 4)
                field('element_stride', 'b32 [%%0], %d, %d' % (d, self.step[d]))
            if not self.is_pixels and d and r.random() < .3:
                other.box = list(other.box)
                other.box[d] = r.randrange(1, other.box[d] + 1)
                field('box_dim', 'b32 [%%0], %d, %d' % (d, self.box[d]))
        if r.random() < .3 and not self.interleave:
            other.swizzle = 0
            field('swizzle_mode', 'b32 [%%0], %d' % self.swizzle)
        if r.random() < .3 and 'FLOAT' in self.type:
            other.nan = 1 - self.nan
            field('fill_mode', 'b32 [%%0], %d' % self.nan)
        return other, lines

    def places(self, r):
        return ['%d' % a if r.random() < .6 or not m else '%d + %d * (int)(un >> %d & 1)' % (a, m, r.randrange(20)) for a, m in zip(self.at, self.more)]
