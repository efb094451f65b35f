#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random programs on a card and on the emulator, and what is left of those that differ.

    hunt.py RANDOM RECORD FORMS RESULT FROM COUNT SECONDS [REDUCED]

RANDOM is tool.cpp's program, RECORD record.cu's. FROM may be a file of seeds; then COUNT does not matter. RESULT gets
card.txt (HASH SEED), differing.txt (SEED, the card's hash, the emulator's, the card's with ptxas -O0), and for up to REDUCED of these programs reduced.txt: statements are left out while the difference stays, until
SECONDS have gone by; then the PTX, and the words of the first threads that differ.
"""
import concurrent.futures
import os
import subprocess
import sys
import time

RANDOM, RECORD, FORMS, RESULT, FROM, COUNT, SECONDS = sys.argv[1:8]
MOST = int(sys.argv[8]) if len(sys.argv) > 8 else 60
BEGIN, FOLDER = time.time(), os.path.join(RESULT, '..', 'random_work')
CORES = os.cpu_count()
HOW = '-O3'  # how ptxas compiles; `driver`: the driver does


def left():
    return float(SECONDS) - (time.time() - BEGIN)


def ptxas(path):
    if HOW == 'driver':
        return
    answer = subprocess.run(['ptxas', '-arch=sm_90a', HOW, path, '-o', path[:-4] + '.cubin'], capture_output=True, text=True)
    if answer.returncode:
        print(path, [l for l in answer.stderr.split('\n') if 'Advisory' not in l][:4])


def emulate(names, command='run'):
    def part(n):
        path = os.path.join(FOLDER, 'part%d' % n)
        open(path, 'w').write('\n'.join(names[n::CORES]) + '\n')
        return subprocess.run([RANDOM, command, FORMS, path], capture_output=True, text=True).stdout
    with concurrent.futures.ThreadPoolExecutor(CORES) as pool:
        return ''.join(pool.map(part, range(min(CORES, len(names))))).split('\n')


def evaluate(names, dump=None):
    """Name -> (what the card gave, what the emulator gave)."""
    subprocess.run(['rm', '-rf', FOLDER])
    os.makedirs(FOLDER)
    open(FOLDER + '/names', 'w').write('\n'.join(names) + '\n')
    subprocess.run([RANDOM, 'write', FORMS, FOLDER, FOLDER + '/names'], check=True)
    with concurrent.futures.ThreadPoolExecutor(CORES) as pool:
        list(pool.map(ptxas, [os.path.join(FOLDER, f) for f in os.listdir(FOLDER) if f.endswith('.ptx')]))
    answer = subprocess.run([RECORD, FOLDER] + ([dump] if dump else []), capture_output=True, text=True)
    if answer.stderr:
        print(answer.stderr[-500:])
    card = {}
    for line in answer.stdout.split('\n'):
        words = line.split()
        if len(words) == 2 and len(words[0]) == 16:
            card[words[1]] = words[0]
        elif words and words[0] == 'FAILED':
            card[words[2]] = words[1]
        elif line:
            print(line)
    ours = {}
    for line in emulate(names):
        words = line.split(' ', 2)
        if len(words) > 1:
            ours[words[1]] = words[0] if len(words) < 3 or not words[2] else words[2]
    return {n: (card.get(n, 'none'), ours.get(n, 'none')) for n in names}


def differs(pair):
    return pair[0] != pair[1] and pair[0] != 'none'


def without(seed, numbers):
    return '-'.join([str(seed)] + [str(n) for n in sorted(numbers)])


def reduce(seeds):
    """Seeds -> statements that may go, by trying parts of what is left, all programs at a time."""
    kept = {}
    for seed in seeds:
        count = int(subprocess.run([RANDOM, 'count', FORMS, str(seed)], capture_output=True, text=True).stdout)
        kept[seed] = list(range(count))
    gone = {seed: set() for seed in seeds}
    pieces = {seed: 4 for seed in seeds}
    active = set(seeds)
    while active and left() > 12:
        tries = {}
        for seed in active:
            k, p = kept[seed], min(pieces[seed], len(kept[seed]))
            size = -(-len(k) // p) if p else 1
            for at in range(0, len(k), size):
                part = set(k[at:at + size])
                tries.setdefault(without(seed, gone[seed] | part), (seed, part))
        result = evaluate(list(tries))
        progress = {}
        for name, (seed, part) in tries.items():
            if differs(result[name]):
                progress.setdefault(seed, []).append(part)
        union = {without(s, gone[s].union(*parts)): s for s, parts in progress.items() if len(parts) > 1}
        together = evaluate(list(union)) if union else {}
        for seed in list(active):
            parts = progress.get(seed, [])
            if not parts:
                if pieces[seed] >= len(kept[seed]):
                    active.discard(seed)
                pieces[seed] = pieces[seed] * 3
                continue
            name = without(seed, gone[seed].union(*parts))
            gone[seed] |= set().union(*parts) if len(parts) > 1 and differs(together[name]) else max(parts, key=len)
            kept[seed] = [n for n in kept[seed] if n not in gone[seed]]
            pieces[seed] = max(4, pieces[seed] // 2)
        print('reducing: %d programs, %.0f s left' % (len(active), left()), flush=True)
    return [without(s, gone[s]) for s in seeds]


def show(names):
    dump = RESULT + '/card_dump'
    if os.path.exists(dump):
        os.remove(dump)
    result = evaluate(names, dump)
    card = {tuple(l.split()[:2]): l.split()[2:] for l in open(dump)} if os.path.exists(dump) else {}
    ours = {tuple(l.split()[:2]): l.split()[2:] for l in emulate(names, 'dump') if l}
    with open(RESULT + '/reduced.txt', 'w') as out:
        for name in names:
            out.write('==== %s %s %s\n' % (name, *result[name]))
            text = subprocess.run([RANDOM, 'show', FORMS, name], capture_output=True, text=True).stdout
            lines = text.split('\n')
            start = [n for n, l in enumerate(lines) if l.startswith('.visible')][0]
            body = lines[start:]
            first = [n for n, l in enumerate(body) if l.startswith('st.shared.b64 [%E],%d0')][0]
            last = [n for n, l in enumerate(body) if '_done:' in l][-1]
            if start > 5:
                out.write('\n'.join(l for l in lines[5:start] if not l.startswith('.reg')) + '\n')
            out.write('\n'.join(body[first + 1:last]) + '\n')
            shown = 0
            for key in ours:
                if key[0] == name and key in card and card[key] != ours[key] and shown < 4:
                    shown += 1
                    out.write('thread %s: ' % key[1] + ' '.join('%s card %s ours %s;' % (word(n), c, o) for n, (c, o) in enumerate(zip(card[key], ours[key])) if c != o) + '\n')
    if os.path.exists(dump):
        os.remove(dump)


def word(n):
    for letter, count in (('%r', 10), ('%d', 6), ('%h', 6), ('%p', 4), ('shared', 8), ('global', 8), ('local', 8)):
        if n < count:
            return letter + str(n)
        n -= count
    return 'exchanged'


names = open(FROM).read().split() if os.path.exists(FROM) else [str(n) for n in range(int(FROM), int(FROM) + int(COUNT))]
result = evaluate(names)
print('%d programs, %.0f s left' % (len(names), left()), flush=True)
with open(RESULT + '/card.txt', 'w') as out:
    out.writelines('%s %s\n' % (result[n][0], n) for n in names)
different = [n for n in names if differs(result[n])]
HOW = '-O0'  # does the card agree with the emulator, if ptxas does not optimize?
plain = evaluate(different) if different else {}
with open(RESULT + '/differing.txt', 'w') as out:
    out.writelines('%s %s %s %s\n' % (n, *result[n], plain[n][0]) for n in different)
print('%d of %d agree with -O0' % (sum(plain[n][0] == result[n][1] for n in different), len(different)))
print('%d differ, %d without a result' % (len(different), sum(result[n][0] == 'none' for n in names)), flush=True)
for HOW in ('-O0', '-O1', 'driver'):  # the same programs, compiled otherwise
    if left() < 60:
        break
    some = names[::max(1, len(names) // 320)]
    again = evaluate(some)
    other = [n for n in some if again[n][0] != result[n][0]]
    print('%s: %d of %d are not what they were with -O3: %s' % (HOW, len(other), len(some), ' '.join(other[:40])), flush=True)
HOW = '-O3'
if different:  # but for those that hang or fault: each try would take seconds
    show(reduce([n for n in different if len(result[n][0]) == 16][:MOST]))
print('done, %.0f s left' % left())
