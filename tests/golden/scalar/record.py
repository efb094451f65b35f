#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records what a card gives for every scalar form that ptxas takes for sm_90a.

    record.py filter RECORD FORMS FOLDER             forms that ptxas takes; those it refuses in FORMS.refused
    record.py run RECORD FORMS FOLDER [DIGESTS]      cubins of PTX in FOLDER, then all forms in order, to stdout

RECORD is the program of record.cu. After a form that ends its context the rest runs in a new process.
"""
import concurrent.futures
import os
import re
import subprocess
import sys

FORMS_OF_MODULE = 128


def modules(folder):
    return sorted((f for f in os.listdir(folder) if f.endswith('.ptx')), key=lambda f: int(f[:-4]))


def ptxas(path):
    return subprocess.run(['ptxas', '-arch=sm_90a', path, '-o', path[:-4] + '.cubin'],
                          capture_output=True, text=True)


def compile_all(folder):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        paths = [os.path.join(folder, m) for m in modules(folder)]
        return dict(zip(paths, pool.map(ptxas, paths)))


def bad_forms(path, errors):
    """Number of form -> what ptxas says, by the lines of its errors."""
    kernel_at, name = [], None
    for line in open(path):
        m = re.match(r'\.visible \.entry f(\d+)\(', line)
        name = int(m.group(1)) if m else name
        kernel_at.append(name)
    found = {}
    for m in re.finditer(r'line (\d+); (?:error|fatal)\s*: (.*)', errors):
        found.setdefault(kernel_at[min(int(m.group(1)), len(kernel_at)) - 1], m.group(2))
    return found


def alone(path):
    """Numbers of the forms that ptxas does not compile in a module of their own."""
    head, *kernels = open(path).read().split('.visible .entry f')
    bad = []
    for kernel in kernels:
        open(path + '.one', 'w').write(head + '.visible .entry f' + kernel)
        answer = subprocess.run(['ptxas', '-arch=sm_90a', path + '.one', '-o', '/dev/null'],
                                capture_output=True)
        if answer.returncode:
            bad.append(int(kernel.split('(')[0]))
    if not bad:
        sys.exit(f'{path}: ptxas takes its kernels, but not all of them')
    return bad


def filter_forms(record, forms, folder):
    os.makedirs(folder, exist_ok=True)
    refused = open(forms + '.refused', 'w')
    while True:
        for name in os.listdir(folder):
            os.remove(os.path.join(folder, name))
        subprocess.run([record, 'write', forms, folder], check=True)
        bad = {}
        for path, answer in compile_all(folder).items():
            if answer.returncode:
                found = bad_forms(path, answer.stderr)
                if not found:  # ptxas itself ended: which kernel does that?
                    found = {n: 'ptxas ends' for n in alone(path)}
                bad.update(found)
        lines = open(forms).read().split('\n')[:-1]
        for n, why in bad.items():
            refused.write(f'{lines[n]}\t{why}\n')
        kept = [line for n, line in enumerate(lines) if n not in bad]
        open(forms, 'w').write('\n'.join(kept) + '\n')
        print(f'{len(bad)} refused, {len(kept)} left', file=sys.stderr)
        if not bad:
            return


def run(record, forms, folder, digests):
    count = sum(1 for _ in open(forms))
    done = 0
    while done < count:
        answer = subprocess.run([record, 'run', forms, folder, str(done)] + digests,
                                capture_output=True, text=True)
        lines = answer.stdout.split('\n')
        if answer.stderr:
            print(answer.stderr[-2000:], file=sys.stderr)
        results = [l for l in lines if re.match(r'[0-9a-f]{16} |FAILED ', l)]
        if not results:
            sys.exit(f'record ended with {answer.returncode}: {answer.stdout[-1000:]}')
        done += len(results)
        sys.stdout.write('\n'.join(l for l in lines if l and l != 'done') + '\n')
        sys.stdout.flush()


if sys.argv[1] == 'filter':
    filter_forms(*sys.argv[2:5])
elif sys.argv[1] == 'compile':
    for path, answer in compile_all(sys.argv[2]).items():
        if answer.returncode:
            print(path, answer.stderr[-300:])
else:
    run(*sys.argv[2:5], sys.argv[5:])
