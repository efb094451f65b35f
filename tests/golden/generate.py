# SPDX-License-Identifier: MIT
"""Writes the probes: one C++ struct an instruction of instructions.txt (its inline PTX and how many
registers its operands have), spread over some .cu files. Register counts follow from shape and
types alone (rows x columns x bits / threads / 32); who holds what is not known here.

    python3 generate.py instructions.txt FOLDER FILES
"""
import os
import re
import sys

BITS = {"f64": 64, "f32": 32, "tf32": 32, "f16": 16, "bf16": 16, "e4m3": 8, "e5m2": 8, "s32": 32,
        "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1}


def registers(elements, kind, threads):
    word = 64 if kind == "f64" else 32
    return max(1, elements * BITS[kind] // threads // word)


def operands(first, count):
    return "{" + ",".join("%%%d" % n for n in range(first, first + count)) + "}"


def constraints(letter, name, count):
    return ",".join('"%s"(%s[%d])' % (letter, name, n) for n in range(count))


def mma(number, name):
    m = re.fullmatch(r"mma\.(sp\S*?\.)?sync\.aligned\.m(\d+)n(\d+)k(\d+)\.(\w+)\.(\w+)\.(\w+)\.(\w+)\.(\w+)\.(\w+)"
                     r"(\.(\w+)\.popc)?", name)
    sparse = m.group(1) is not None
    M, N, K = (int(m.group(n)) for n in (2, 3, 4))
    dt, at, bt, ct = (m.group(n) for n in (7, 8, 9, 10))
    many = 4 if (M, N, K, at) == (8, 8, 4, "f16") else 1
    AR = registers(many * M * K // (2 if sparse else 1), at, 32)
    BR = registers(many * K * N, bt, 32)
    CR, DR = (registers(many * M * N, t, 32) for t in (ct, dt))
    selectors = {"16.16": 4, "32.16": 2, "8.32": 4, "16.32": 2, "32.8": 2, "64.8": 1, "64.4": 2,
                 "128.4": 1}["%d.%d" % (K, BITS[at])] if sparse else 0
    letter = "l" if dt == "f64" else "r"
    word = "std::uint64_t" if dt == "f64" else "std::uint32_t"
    lines = []
    for selector in range(max(1, selectors)):
        text = "%s %s,%s,%s,%s" % (name, operands(0, DR), operands(DR, AR), operands(DR + AR, BR),
                                   operands(DR + AR + BR, CR))
        inputs = [constraints(letter, "a", AR), constraints(letter, "b", BR), constraints(letter, "c", CR)]
        if sparse:
            text += ",%%%d,%d" % (DR + AR + BR + CR, selector)
            inputs.append('"r"(e)')
        lines.append('    if (selector == %d) asm volatile("%s;" : %s : %s);' %
                     (selector, text, constraints("=" + letter, "d", DR), ",".join(inputs)))
    return "\n".join([
        "struct I%d {" % number, '  static constexpr const char* name = "%s";' % name,
        "  using Word = %s;" % word,
        "  static constexpr Type AT = Type::%s, BT = Type::%s, CT = Type::%s, DT = Type::%s;" % (at, bt, ct, dt),
        "  static constexpr int a_bits = %d, b_bits = %d, c_bits = %d, d_bits = %d;" % tuple(
            BITS[t] for t in (at, bt, ct, dt)),
        "  static constexpr int AR = %d, BR = %d, CR = %d, DR = %d, selectors = %d;" % (AR, BR, CR, DR, selectors),
        "  static constexpr bool is_xor = %s;" % ("true" if m.group(12) == "xor" else "false"),
        "  __device__ static void run(int selector, Word (&d)[DR], const Word (&a)[AR],",
        "      const Word (&b)[BR], const Word (&c)[CR], std::uint32_t e) {", *lines, "  }", "};", ""])


def wgmma(number, name):
    m = re.fullmatch(r"wgmma\.mma_async\.(sp\.)?sync\.aligned\.m64n(\d+)k(\d+)\.(\w+)\.(\w+)\.(\w+)(\.and\.popc)?", name)
    sparse = m.group(1) is not None
    N, K = int(m.group(2)), int(m.group(3))
    dt, at, bt = m.group(4), m.group(5), m.group(6)
    DR = registers(64 * N, dt, 128)
    selectors = (1 if BITS[at] == 8 else 2) if sparse else 1
    tail = ",p" + (",1,1" if dt in ("f16", "f32") else "")
    trans = at in ("f16", "bf16")
    out = constraints("+r", "d", DR)

    def lines(head, first, inputs, extra, last):
        result = []
        for selector in range(selectors):
            text, ins, n = head, list(inputs), first
            if sparse:
                text += ",%%%d,%d" % (n, selector)
                ins.append('"r"(e)')
                n += 1
            ins.append('"r"(scale)')
            result.append('    if (selector == %d) asm volatile("{.reg .pred p; setp.ne.b32 p, %%%d, 0; %s %s%s%s;}" : %s : %s);'
                          % (selector, n, name, text, tail, extra if trans else "", out, ",".join(ins)))
        return result

    from_registers = lines("%s,%s,%%%d" % (operands(0, DR), operands(DR, 4), DR + 4), DR + 5,
                           [constraints("r", "a", 4), '"l"(B)'], ",0", 0)
    from_memory = []
    for ta in (0, 1) if trans and not sparse and N == 64 else (0,):
        for tb in (0, 1) if trans and not sparse and N == 64 else (0,):
            block = lines("%s,%%%d,%%%d" % (operands(0, DR), DR, DR + 1), DR + 2, ['"l"(A)', '"l"(B)'], ",%d,%d" % (ta, tb), 0)
            from_memory += [line.replace("if (", "if (trans == %d && " % (2 * ta + tb)) for line in block]
    return "\n".join([
        "struct I%d {" % number, '  static constexpr const char* name = "%s";' % name,
        "  static constexpr Type AT = Type::%s, BT = Type::%s, DT = Type::%s;" % (at, bt, dt),
        "  static constexpr int N = %d, K = %d, bits = %d, d_bits = %d, DR = %d, selectors = %d;" % (
            N, K, BITS[at], BITS[dt], DR, selectors),
        "  static constexpr bool sparse = %s;" % ("true" if sparse else "false"),
        "  __device__ static void from_registers(int selector, std::uint32_t (&d)[DR],",
        "      const std::uint32_t (&a)[4], std::uint64_t B, std::uint32_t e, int scale) {", *from_registers, "  }",
        "  __device__ static void from_memory(int selector, int trans, std::uint32_t (&d)[DR],",
        "      std::uint64_t A, std::uint64_t B, std::uint32_t e, int scale) {", *from_memory, "  }", "};", ""])


def wmma_cases():
    """(load cases, multiply cases) that sm_90a has (PTX ISA 9.2, 9.7.14.4)."""
    loads, products = [], []
    for M, N in ((16, 16), (32, 8), (8, 32)):
        for t in ("f16", "bf16", "s8", "u8"):
            a, b = M * 16 * BITS[t] // 1024, N * 16 * BITS[t] // 1024
            if t == "f16":
                a = b = 8
            for layout in ("row", "col"):
                loads.append((M, N, 16, "a", layout, t, a))
                loads.append((M, N, 16, "b", layout, t, b))
        for t, count in (("f16", 4), ("f32", 8), ("s32", 8)):
            for layout in ("row", "col"):
                loads.append((M, N, 16, "c", layout, t, count))
        for d in ("f16", "f32"):
            for c in ("f16", "f32"):
                products.append((M, N, 16, "f16", "f16", c, d, "", "%s.%s" % (d, c)))
        products.append((M, N, 16, "bf16", "bf16", "f32", "f32", "", "f32.bf16.bf16.f32"))
        for t in ("s8", "u8"):
            products.append((M, N, 16, t, t, "s32", "s32", "", "s32.%s.%s.s32" % (t, t)))
    for layout in ("row", "col"):
        loads += [(16, 16, 8, "a", layout, "tf32", 4), (16, 16, 8, "b", layout, "tf32", 4),
                  (16, 16, 8, "c", layout, "f32", 8), (8, 8, 4, "a", layout, "f64", 1),
                  (8, 8, 4, "b", layout, "f64", 1), (8, 8, 4, "c", layout, "f64", 2),
                  (8, 8, 32, "c", layout, "s32", 2), (8, 8, 128, "c", layout, "s32", 2)]
    products += [(16, 16, 8, "tf32", "tf32", "f32", "f32", "", "f32.tf32.tf32.f32"),
                 (8, 8, 4, "f64", "f64", "f64", "f64", "", "f64.f64.f64.f64")]
    for t in ("s4", "u4"):
        loads += [(8, 8, 32, "a", "row", t, 1), (8, 8, 32, "b", "col", t, 1)]
        products.append((8, 8, 32, t, t, "s32", "s32", "", "s32.%s.%s.s32" % (t, t)))
    loads += [(8, 8, 128, "a", "row", "b1", 1), (8, 8, 128, "b", "col", "b1", 1)]
    products += [(8, 8, 128, "b1", "b1", "s32", "s32", "xor.popc.", "s32.b1.b1.s32"),
                 (8, 8, 128, "b1", "b1", "s32", "s32", "and.popc.", "s32.b1.b1.s32")]
    return loads, products


def wmma():
    loads, products = wmma_cases()
    count = {(M, N, K, o, t): n for M, N, K, o, _, t, n in loads}
    text, calls = [], []
    for n, (M, N, K, operand, layout, t, regs) in enumerate(loads):
        letter, word = ("l", "std::uint64_t") if t == "f64" else ("r", "std::uint32_t")
        rows, cols = {"a": (M, K), "b": (K, N), "c": (M, N)}[operand]
        ptx = "wmma.load.%s.sync.aligned.%s.m%dn%dk%d.%s" % (operand, layout, M, N, K, t)
        line = '    asm volatile("%s %s, [%%%d], %%%d;" : %s : "l"(p), "r"(%d) : "memory");' % (
            ptx, operands(0, regs), regs, regs + 1, constraints("=" + letter, "d", regs),
            cols if layout == "row" else rows)
        store = ""
        if operand == "c":
            sptx = ptx.replace("load.c", "store.d")
            store = '    asm volatile("%s [%%0], %s, %%%d;" :: "l"(p), %s, "r"(%d) : "memory");' % (
                sptx, operands(1, regs), regs + 1, constraints(letter, "d", regs), cols if layout == "row" else rows)
        text += ["struct L%d {" % n, '  static constexpr const char* name = "%s";' % ptx,
                 "  using Word = %s;" % word,
                 "  static constexpr int rows = %d, cols = %d, bits = %d, R = %d;" % (rows, cols, BITS[t], regs),
                 "  static constexpr bool by_row = %s, stores = %s;" % (str(layout == "row").lower(), str(store != "").lower()),
                 "  static constexpr Type type = Type::%s;" % t,
                 "  __device__ static void load(Word (&d)[R], const void* p) {", line, "  }",
                 "  __device__ static void store(void* p, const Word (&d)[R]) {", store, "  }", "};", ""]
        calls.append("  record_load<L%d>();" % n)
        if store:
            calls.append("  record_store<L%d>();" % n)
    index = {(M, N, K, o, l, t): n for n, (M, N, K, o, l, t, _) in enumerate(loads)}
    n = 0
    for M, N, K, a, b, c, d, op, tail in products:
        layouts = [("row", "col")] if a in ("s4", "u4", "b1") else [(x, y) for x in ("row", "col") for y in ("row", "col")]
        for la, lb in layouts:
            ptx = "wmma.mma.%ssync.aligned.%s.%s.m%dn%dk%d.%s" % (op, la, lb, M, N, K, tail)
            letter = "l" if a == "f64" else "r"
            DR, AR, BR, CR = (count[(M, N, K, o, t)] for o, t in (("c", d), ("a", a), ("b", b), ("c", c)))
            line = '    asm volatile("%s %s,%s,%s,%s;" : %s : %s,%s,%s);' % (
                ptx, operands(0, DR), operands(DR, AR), operands(DR + AR, BR), operands(DR + AR + BR, CR),
                constraints("=" + letter, "d", DR), constraints(letter, "a", AR), constraints(letter, "b", BR),
                constraints(letter, "c", CR))
            word = "std::uint64_t" if a == "f64" else "std::uint32_t"
            text += ["struct P%d {" % n, '  static constexpr const char* name = "%s";' % ptx,
                     "  using A = L%d; using B = L%d; using C = L%d; using D = L%d;" % (
                         index[(M, N, K, "a", la, a)], index[(M, N, K, "b", lb, b)],
                         index[(M, N, K, "c", "row", c)], index[(M, N, K, "c", "row", d)]),
                     "  static constexpr bool is_xor = %s;" % ("true" if op.startswith("xor") else "false"),
                     "  __device__ static void run(%s (&d)[%d], const %s (&a)[%d], const %s (&b)[%d], const %s (&c)[%d]) {"
                     % (word, DR, word, AR, word, BR, word, CR), line, "  }", "};", ""]
            calls.append("  record_product<P%d>();" % n)
            n += 1
    return "\n".join(['#include "probe_wmma.cuh"', "", *text, "int main() {", *calls, "  return failures != 0;", "}", ""])


def write(folder, name, text):
    with open(os.path.join(folder, name), "w") as out:
        out.write(text)


def main():
    names = [line.strip() for line in open(sys.argv[1]) if line.strip() and line[0] != "#"]
    folder, files = sys.argv[2], int(sys.argv[3])
    os.makedirs(folder, exist_ok=True)
    dense = [n for n in names if n.startswith("mma.")]
    groups = [n for n in names if n.startswith("wgmma.")]
    for kind, struct, these, count in (("mma", mma, dense, max(1, files // 4)), ("wgmma", wgmma, groups, files)):
        for f in range(count):
            own = these[f::count]
            if not own:
                continue
            calls = ["  record_%s<I%d>();" % (kind, n) for n in range(len(own))]
            write(folder, "%s_%02d.cu" % (kind, f), "\n".join(
                ['#include "probe_%s.cuh"' % kind, "", *(struct(n, name) for n, name in enumerate(own)),
                 "int main() {", *calls, "  return failures != 0;", "}", ""]))
    write(folder, "wmma.cu", wmma())
    # descriptors are asked with one instruction a width
    asked = ["wgmma.mma_async.sync.aligned.m64n64k%s" % tail for tail in
             ("16.f32.f16.f16", "32.s32.s8.s8", "8.f32.tf32.tf32", "256.s32.b1.b1.and.popc")]
    structs = [wgmma(n, name) for n, name in enumerate(asked)]
    write(folder, "descriptor.cu", "\n".join(
        ['#include "probe_descriptor.cuh"', "", *structs, "int main() {",
         *("  record_descriptors<I%d>();" % n for n in range(len(asked))), "  return failures != 0;", "}", ""]))


main()
