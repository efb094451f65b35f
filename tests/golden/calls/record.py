#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records what a card answers to the calls of a calls.cu, 1,000 of each seed.

    record.py PROGRAM SEEDS [FIRST] > h200.txt

FIRST is the first seed's number, 1.

An answer a line; behind a call that ends the program, or that loses the context, it starts anew.
"""
import subprocess
import sys

CALLS = 1000


def record(program: str, seed: int) -> None:
    print(f"seed {seed}", flush=True)
    count = 0
    while count < CALLS:
        done = subprocess.run([program, str(seed), str(count), str(CALLS)], text=True,
                              stdout=subprocess.PIPE, errors="replace", timeout=600)
        answers = [line.rpartition(" -> ")[2] for line in done.stdout.splitlines()]
        if done.returncode not in (0, 4):
            if done.returncode > 0 and not answers:
                sys.exit(f"{program} {seed}: exit code {done.returncode} with no answer")
            answers.append("crash")
        count += len(answers)
        print(*answers, sep="\n", flush=True)


def main() -> None:
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    first = int(sys.argv[3]) if len(sys.argv) == 4 else 1
    for seed in range(first, first + int(sys.argv[2])):
        record(sys.argv[1], seed)


if __name__ == "__main__":
    main()
