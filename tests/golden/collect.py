# SPDX-License-Identifier: MIT
"""Joins what the probes printed into three files, each map written once.

    python3 collect.py FOLDER_OF_OUTPUTS RESULT_FOLDER PROVENANCE_FILE

maps.txt         map NUMBER places...          then          NAME operand=NUMBER ...
descriptors.txt  the same, a line a descriptor          tiles.txt  the same, a line a tile
"""
import glob
import os
import sys


class Lines:
    def __init__(self, path, head):
        self.known, self.entries, self.path, self.head = {}, {}, path, head

    def number(self, text):
        return self.known.setdefault(text, len(self.known))

    def add(self, name, operand, text):
        self.entries.setdefault(name, []).append("%s=%d" % (operand, self.number(text)))

    def write(self):
        with open(self.path, "w") as out:
            out.write(self.head)
            for text, number in self.known.items():
                out.write("map %d %s\n" % (number, text))
            for name, operands in self.entries.items():
                out.write("%s %s\n" % (name, " ".join(operands)))


def main():
    outputs, result, provenance = sys.argv[1:4]
    head = open(provenance).read()
    maps, descriptors, tiles = (Lines(os.path.join(result, n), head) for n in ("maps.txt", "descriptors.txt", "tiles.txt"))
    failed = []
    for path in sorted(glob.glob(os.path.join(outputs, "*.out"))):
        for line in open(path):
            line = line.rstrip("\n")
            if line.startswith("# FAILED"):
                failed.append(line)
            elif line.startswith("descriptor "):
                name, text = line[11:].split(" : ")
                descriptors.add(name, "from", text)
            elif line.startswith("tile "):
                name, text = line[5:].split(" : ")
                tiles.add(name, "from", text)
            elif " products " in line:
                name, _, count, _, wrong = line.split(" ")
                maps.entries.setdefault(name, []).append("products=%s wrong=%s" % (count, wrong))
            else:
                name, operand, text = line.split(" ", 2)
                maps.add(name, operand, text)
    for lines in (maps, descriptors, tiles):
        lines.write()
        print("%s: %d entries, %d maps" % (os.path.basename(lines.path), len(lines.entries), len(lines.known)))
    for line in failed:
        print(line)
    return 1 if failed else 0


sys.exit(main())
