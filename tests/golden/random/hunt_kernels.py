#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs programs of hopper/hopper.py, parting/parting.py, textures/textures.py or library/library.py on a card and on the emulator, and says
where they part.

    hunt_kernels.py hopper|parting|textures|library LIBRARY RESULT FIRST END KERNELS SECONDS

LIBRARY is the folder of the emulator's libcudart.so.13; '' compares nothing, and RESULT/card.txt has what the card says. It takes
seeds FIRST to END - 1 while SECONDS last, as many at a time as there are processors. RESULT/hunt.txt has a line for each program:
how many of its kernels agree; and for each that does not the statement behind which registers differ first, where it notes them, and the words;
and whether it agrees with `-Xptxas -O0`; of textures, with the whole of each texel used.
"""
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
KIND, LIBRARY, RESULT = sys.argv[1:4]
FIRST, END, KERNELS, SECONDS = map(int, sys.argv[4:8])
NOTES = {'hopper': 10, 'parting': 32, 'textures': 0, 'library': 40}[KIND]  # the first word of what a thread notes behind each statement
OTHERWISE = ['-Xptxas -O0'] + (['-DWHOLE_TEXELS'] if KIND == 'textures' else [])
STOP = time.time() + SECONDS


def run(program, arguments, ours, check=False):
    environment = dict(os.environ)
    if ours:
        environment.update(LD_PRELOAD='libcudart.so.13', LD_LIBRARY_PATH=LIBRARY, LANESCOPE_CHECK='1' if check else '')
    try:
        done = subprocess.run([program] + arguments, env=environment, capture_output=True, text=True, timeout=40 if ours else 15)
        return done.stdout.splitlines(), done.stderr
    except subprocess.TimeoutExpired as late:
        return (late.stdout or b'').decode().splitlines() + ['TIMEOUT'], ''


def run_all(program, names, ours, check=False):
    """What every kernel gives: a hash, or why there is none. After a failure the others go on in a new process."""
    results, errors, begin = {}, '', 0
    while begin < len(names):
        lines, error = run(program, ['-%d' % begin] if begin else [], ours, check)
        errors += error
        for line in lines:
            hit = re.match(r'(REFUSED|FAILED) (k\d+_\d+)(.*)|([0-9a-f]{16}) (k\d+_\d+)$', line)
            if hit:
                results[hit[2] or hit[5]] = hit[4] or hit[1] + hit[3]
        done = [n for n, name in enumerate(names) if name in results]
        end = max(done) + 1 if done else begin
        if end == begin:  # ended without a word
            results[names[begin]] = 'ENDED ' + (lines[-1] if lines else error[-200:].replace('\n', ' '))
            end += 1
        begin = end
    return results, errors


def words(program, name, ours):
    lines = [line.split()[1:] for line in run(program, [name], ours)[0] if line.startswith('~')]
    return lines if KIND in ('hopper', 'parting') else [[str(n)] + line for n, line in enumerate(lines)]


def where(program, name):
    card, here = words(program, name, False), words(program, name, True)
    notes = [n for n in range(NOTES, len(card[0]) - 1) if any(a[n + 1] != b[n + 1] for a, b in zip(card, here))]
    last = [n for n in range(NOTES) if any(a[n + 1] != b[n + 1] for a, b in zip(card, here))]
    text = '  %d threads, first behind statement %s; words at the end %s\n' % (len(card), (notes[0] // 4 if KIND == 'textures' else notes[0] - NOTES) if notes else '-', last)
    n = (notes + last + [0])[0] + 1
    n = (n - 1) // 4 * 4 + 1 if KIND == 'textures' else n
    width = 4 if KIND == 'textures' else 1  # words of a statement
    different = [(a, b) for a, b in zip(card, here) if a[n:n + width] != b[n:n + width]]
    text += '  %d threads differ there: %s\n' % (len(different), ' '.join(a[0] for a, _ in different[:40]))
    some = slice(max(0, n - 4), n + 8) if KIND == 'textures' else slice(0, 11)  # what was before, and is now
    for a, b in different[:8 if KIND == 'textures' else 2]:
        text += '    card %s\n    ours %s\n' % (' '.join(a[some]), ' '.join(b[some]))
    return text


def hunt(seed):
    if time.time() > STOP:
        return None
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, 'h%d' % seed)
        with open(program + '.cu', 'w') as file:
            subprocess.run([sys.executable, os.path.join(HERE, KIND, KIND + '.py'), str(seed), str(KERNELS)], stdout=file, check=True)
        options = [[], [], ['-Xptxas', '-O1'], ['-fmad=false'], [], ['-O1']][seed % 6]
        command = ['nvcc', '-w', '-std=c++17', '-I', os.path.join(HERE, KIND), '-cudart', 'shared', '-gencode', 'arch=compute_90a,code=[compute_90a,sm_90a]'] + options + [program + '.cu', '-o']
        built = subprocess.run(command + [program], capture_output=True, text=True)
        if built.returncode:
            return 'NOBUILD %d %s\n' % (seed, (built.stdout + built.stderr)[:400]), ''
        names = ['k%d_%d' % (seed, n) for n in range(KERNELS)]
        card, _ = run_all(program, names, False)
        listing = ''.join('%s %s\n' % (card[name], name) for name in names)
        if not LIBRARY:
            return '', listing
        here, errors = run_all(program, names, True)
        checked, findings = run_all(program, names, True, True)
        text = 'SAME %d of %d, seed %d\n' % (sum(card[n] == here[n] for n in names), len(names), seed)
        plain = {}  # what the card says of it compiled so that ptxas makes fewer mistakes
        for way in OTHERWISE if any(card[name] != here[name] for name in names) else []:
            if subprocess.run(command + [program + '_plain'] + way.split(), capture_output=True).returncode == 0:
                plain[way], _ = run_all(program + '_plain', names, False)
        for name in names:
            if card[name] != here[name]:
                agrees = ''.join(' %s agrees' % way for way in plain if plain[way][name] == here[name])
                text += 'DIFFERS %s card %s ours %s%s\n' % (name, card[name], here[name], agrees)
                if re.fullmatch('[0-9a-f]{16}', card[name]) and re.fullmatch('[0-9a-f]{16}', here[name]):
                    text += where(program, name)
            if checked[name] != here[name]:
                text += 'CHECKED %s ours %s checked %s\n' % (name, here[name], checked[name])
        if errors:
            text += '  says: ' + errors[:600].replace('\n', ' | ') + '\n'
        for finding in re.split(r'(?m)^(?=lanescope: check)', findings):
            if finding.strip() and ': descriptor:' not in finding and 'nothing to report' not in finding:
                text += '  FOUND ' + finding[:700].strip().replace('\n', ' | ') + '\n'
        return text, listing


def main():
    os.makedirs(RESULT, exist_ok=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool, open(os.path.join(RESULT, 'hunt.txt'), 'w') as to, open(os.path.join(RESULT, 'card.txt'), 'w') as listing:
        for answer in pool.map(hunt, range(FIRST, END)):
            if answer:
                to.write(answer[0])
                listing.write(answer[1])
                to.flush()


if __name__ == '__main__':
    main()
