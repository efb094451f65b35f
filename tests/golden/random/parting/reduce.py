#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Leaves statements out of a kernel of parting.py for as long as a card and the emulator disagree about it.

    reduce.py KERNEL LIBRARY RESULT SECONDS [OPTIONS of nvcc...]      KERNEL: k785_6, the seventh of seed 785

LIBRARY is the folder of the emulator's libcudart.so.13. RESULT/KERNEL.cu is what is left, RESULT/KERNEL.txt how it went, and what
both give with -Xptxas -O0. It tries as many at a time as there are processors: 30 to 60 of them, in a minute on 16 cores.
OTHER_LIBRARY in the environment is asked in place of the card: another build of the emulator.
"""
import os
import random
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import parting  # noqa: E402

KERNEL, LIBRARY, RESULT, SECONDS = sys.argv[1:5]
OPTIONS, STOP = sys.argv[5:], time.time() + float(SECONDS)
OPENS, CLOSES = '//{', '//}'


class Marked(parting.Parting):
    """Every statement between two lines that say so."""

    def statement(self, pad):
        return OPENS + '\n' + super().statement(pad) + CLOSES + '\n'


def nested(text):
    """Lines, and in their midst lists of them: what can be left out. So can the digests."""
    stack = [[]]
    for line in text.split('\n'):
        if line == OPENS:
            stack.append([])
        elif line == CLOSES:
            part = stack.pop()
            stack[-1].append(part)
        else:
            stack[-1].append([line] if line.strip().startswith('digest(') else line)
    return stack[0]


def parts(node, path=()):
    for n, child in enumerate(node):
        if isinstance(child, list):
            yield path + (n,)
            yield from parts(child, path + (n,))


def rendered(node, removed, path=()):
    return ''.join(child + '\n' if isinstance(child, str) else '' if path + (n,) in removed else rendered(child, removed, path + (n,)) for n, child in enumerate(node))


def run(program, library):
    environment = dict(os.environ)
    if library:
        environment.update(LD_PRELOAD='libcudart.so.13', LD_LIBRARY_PATH=library)
    try:
        return subprocess.run([program], env=environment, capture_output=True, text=True, timeout=30).stdout.strip()
    except subprocess.TimeoutExpired:
        return 'TIMEOUT'


def answers(text, options):
    """What the card and the emulator say; None where it is not compiled or the card says this and that."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, 'p')
        with open(program + '.cu', 'w') as file:
            file.write(text)
        built = subprocess.run(['nvcc', '-w', '-cudart', 'shared', '-gencode', 'arch=compute_90a,code=[compute_90a,sm_90a]'] + options + ['-o', program, program + '.cu'], capture_output=True)
        if built.returncode:
            return None
        card = [run(program, os.environ.get('OTHER_LIBRARY')) for _ in range(2)]
        return (card[0], run(program, LIBRARY)) if card[0] == card[1] else None


def main():
    seed, number = map(int, KERNEL[1:].split('_'))
    kernel = Marked(random.Random(seed * 1000 + number + 21), KERNEL)
    tree = nested(kernel.text())
    head, tail = parting.around(seed, kernel.entry())
    removed, tried = set(), 0
    whole = lambda without: head + rendered(tree, without) + tail
    gone = lambda part: any(part[:n] in removed for n in range(1, len(part) + 1))

    def differs(without):
        said = answers(whole(without), OPTIONS)
        return said is not None and said[0] != said[1]

    with open(os.path.join(RESULT, KERNEL + '.txt'), 'w') as log, ThreadPoolExecutor(os.cpu_count()) as pool:
        print('whole, card and emulator:', answers(whole(removed), OPTIONS), file=log, flush=True)
        goes_on = True
        while goes_on and time.time() < STOP:
            goes_on = False
            left = [part for part in parts(tree) if not gone(part)]
            top = [part for part in left if len(part) == 1]
            pieces = [top[n:n + len(top) // k] for k in (2, 4) if len(top) >= 2 * k for n in range(0, len(top), len(top) // k)]
            pieces += [[part] for part in sorted(left, key=lambda part: -sum(other[:len(part)] == part for other in left))]
            while pieces and time.time() < STOP:
                batch, pieces = [[part for part in piece if not gone(part)] for piece in pieces[:os.cpu_count()]], pieces[os.cpu_count():]
                batch = [piece for piece in batch if piece]
                good = [piece for piece, is_good in zip(batch, pool.map(lambda piece: differs(removed | set(piece)), batch)) if is_good]
                tried += len(batch)
                if not good:
                    continue
                goes_on, together = True, removed.union(*good)
                if len(good) > 1 and differs(together):
                    removed = together
                else:
                    removed, pieces = removed.union(good[0]), good[1:] + pieces
                print('%d tried, %d statements left' % (tried, sum(not gone(part) for part in parts(tree))), file=log, flush=True)
        print('left, card and emulator:', answers(whole(removed), OPTIONS), file=log)
        print('the same with -O0:', answers(whole(removed), OPTIONS + ['-Xptxas', '-O0']), file=log)
    with open(os.path.join(RESULT, KERNEL + '.cu'), 'w') as file:
        file.write(whole(removed))


if __name__ == '__main__':
    main()
