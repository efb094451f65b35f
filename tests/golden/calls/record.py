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


def answers_of(program: str, seed: int) -> list[str]:
    answers: list[str] = []
    while len(answers) < CALLS:
        done = subprocess.run([program, str(seed), str(len(answers)), str(CALLS)], text=True,
                              stdout=subprocess.PIPE, errors="replace", timeout=600)
        answers += [line.rpartition(" -> ")[2] for line in done.stdout.splitlines()]
        if done.returncode not in (0, 4):
            if done.returncode > 0 and not done.stdout:
                sys.exit(f"{program} {seed}: exit code {done.returncode} with no answer")
            answers.append("crash")
    return answers


def main() -> None:
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    first = int(sys.argv[3]) if len(sys.argv) == 4 else 1
    for seed in range(first, first + int(sys.argv[2])):
        print(f"seed {seed}", *answers_of(sys.argv[1], seed), sep="\n")


if __name__ == "__main__":
    main()
