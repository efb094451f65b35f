#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a shared object anew for a card whose driver is older than its PTX.

    older_ptx.py libggml-cuda.so 9.0 ANEW.so

Of each fat binary the PTX that a card of sm_90 takes is kept, with another .version; machine code and
other PTX go (xz then makes a tenth of the file). Source of the format: common/cudart/binary/fatbinary.hpp.
"""
import ctypes
import re
import struct
import subprocess
import sys

CONTAINER, PTX, ZSTD, OWN_KIND, CARD = 0xBA55ED50, 1, 0x8000, 0x300000, 90

zstd = ctypes.CDLL("libzstd.so.1")
for name in ("ZSTD_compress", "ZSTD_decompress", "ZSTD_compressBound"):
    getattr(zstd, name).restype = ctypes.c_size_t
size = ctypes.c_size_t


def unpacked(packed, length):
    text = ctypes.create_string_buffer(length)
    assert zstd.ZSTD_decompress(text, size(length), packed, size(len(packed))) == length
    return text.raw


def repacked(text):
    room = zstd.ZSTD_compressBound(size(len(text)))
    packed = ctypes.create_string_buffer(room)
    length = zstd.ZSTD_compress(packed, size(room), text, size(len(text)), 19)
    return packed.raw[:length]


def entries(data, at, end):
    """(offset, kind, bytes of the header, bytes behind it, architecture, flags) of each."""
    while at < end:
        kind, header = struct.unpack_from("<H2xI", data, at)
        behind, = struct.unpack_from("<Q", data, at + 8)
        arch, = struct.unpack_from("<I", data, at + 28)
        flags, = struct.unpack_from("<Q", data, at + 40)
        yield at, kind, header, behind, arch, flags
        at += header + behind


def rewritten(data, at, end, version):
    """The one entry that is kept."""
    fits = [e for e in entries(data, at, end) if e[1] == PTX and e[4] <= CARD and not e[5] & OWN_KIND]
    place, _, header, _, _, flags = max(fits, key=lambda entry: entry[4])
    assert flags & ZSTD
    packed, = struct.unpack_from("<I", data, place + 16)
    length, = struct.unpack_from("<Q", data, place + 56)
    text = unpacked(bytes(data[place + header:place + header + packed]), length)
    text = re.sub(rb"\.version \S+", b".version " + version.encode(), text, count=1)
    anew = repacked(text)
    behind = (len(anew) + 7) // 8 * 8
    head = bytearray(data[place:place + header])
    struct.pack_into("<Q", head, 8, behind)
    struct.pack_into("<I", head, 16, len(anew))
    struct.pack_into("<Q", head, 56, len(text))
    return bytes(head) + anew.ljust(behind, b"\0")


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    source, version, to = sys.argv[1:]
    data = bytearray(open(source, "rb").read())
    sections = subprocess.run(["readelf", "-SW", source], capture_output=True, text=True, check=True).stdout
    _, at, length = re.search(r"\.nv_fatbin\s+PROGBITS\s+(\w+) (\w+) (\w+)", sections).groups()
    at, end = int(at, 16), int(at, 16) + int(length, 16)
    while at < end - 16:
        magic, _, header, behind = struct.unpack_from("<IHHQ", data, at)
        if magic != CONTAINER:
            at += 8
            continue
        kept = rewritten(data, at + header, at + header + behind, version)
        assert len(kept) <= behind
        data[at + header:at + header + behind] = kept.ljust(behind, b"\0")
        struct.pack_into("<Q", data, at + 8, len(kept))
        at += header + behind
    open(to, "wb").write(data)


main()
