// SPDX-License-Identifier: MIT
// Statements of a thread's own: what the recorded forms do not have.
#include "builder.hpp"

namespace lanescope::golden::random {

// add.cc, addc.cc, ..., with something else in between now and then.
Node carry_chain(Builder& b) {
  const bool wide = b.random.one_in(3), product = !wide && b.random.one_in(3);
  const int bits = wide ? 64 : 32, steps = 2 + b.random.below(3);
  const std::string first = b.random.one_in(2) ? "add" : "sub";
  std::string text;
  for (int n = 0; n < steps; ++n) {
    const std::string out = b.source(bits), one = b.source(bits), two = b.source(bits);
    const std::string cc = n + 1 < steps ? ".cc" : "", c = n > 0 ? "c" : "";
    if (product) {
      const std::string half = b.random.one_in(2) ? "lo" : "hi", three = b.source(bits);
      text += fmt::format("mad{}.{}{}.u32 {},{},{},{};\n", c, half, cc, out, one, two, three);
    } else {
      text += fmt::format("{}{}{}.{}{} {},{},{};\n", first, c, cc, b.random.one_in(2) ? "u" : "s",
                          bits, out, one, two);
    }
    if (b.random.one_in(4)) {
      const std::string target = b.r32(), value = b.r32();
      text += fmt::format("prmt.b32 {},{},{},0x2143;\n", target, value, value);
    }
  }
  return b.node(text);
}

// What may take time, or order memory, and changes nothing.
Node nothing(Builder& b) {
  static const std::vector<std::string> kLines = {
      "nanosleep.u32 20;\n",
      "membar.cta;\n",
      "membar.gl;\n",
      "membar.sys;\n",
      "fence.acq_rel.gpu;\n",
      "fence.sc.cta;\n",
      "fence.proxy.async;\n",
      "fence.proxy.alias;\n",
      "prefetch.global.L1 [%G];\n",
      "prefetch.global.L2 [%I+128];\n",
      "prefetchu.L1 [%G];\n",
      "griddepcontrol.launch_dependents;\n",
      "griddepcontrol.wait;\n",
      "pmevent 3;\n",
      "cp.async.commit_group;\n",
      "cp.async.wait_all;\n",
      "cp.async.bulk.commit_group;\n",
      "cp.async.bulk.wait_group.read 1;\n",
      "applypriority.global.L2::evict_normal [%I],128;\n",
      "isspacep.local %p0,%G;\n"};
  return b.node(b.random.of(kLines));
}

// A register gets a word of the input: where a register says.
Node reload(Builder& b) {
  const int bits = b.random.one_in(3) ? 64 : b.random.one_in(3) ? 16 : 32;
  const std::string index = b.r32(), target = b.source(bits);
  const std::string cache = b.random.one_in(2) ? ".nc" : "";
  const int from = bits == 32 ? 0 : bits == 64 ? 32768 : 65536;
  return b.node(fmt::format(
      "and.b32 %t7,{},4095;\nmad.wide.u32 %td7,%t7,8,%I;\nld.global{}.b{} {},[%td7+{}];\n", index,
      cache, bits, target, from));
}

// A local array with an index that only the thread knows.
Node indexed_local(Builder& b) {
  static const std::vector<int> kBits = {8, 16, 32, 64};
  const int out_bits = b.random.of(kBits), in_bits = b.random.of(kBits);
  const auto index = [&](int bits) {
    const std::string reg = b.r32();
    return fmt::format("and.b32 %t7,{},{};\nmov.u32 %t6,depot;\nadd.u32 %t7,%t7,%t6;\n", reg,
                       kOwnBytes - bits / 8);
  };
  std::string text = index(out_bits);
  const std::string value = out_bits == 64 ? b.r64() : b.r32(), bits = out_bits == 64 ? "d5" : "5";
  // ptxas makes a whole number of what an f32 instruction wrote, if it stores 8 or 16 bits of it
  text += fmt::format("mov.b{} %t{},{};\nst.local.b{} [%t7],%t{};\n", out_bits == 64 ? 64 : 32,
                      bits, value, out_bits, bits);
  text += index(in_bits);
  const std::string target = in_bits == 64 ? b.r64() : b.r32();
  const std::string type =
      in_bits == 64 ? "b64" : fmt::format("{}{}", b.random.one_in(2) ? "s" : "u", in_bits);
  return b.node(text + fmt::format("ld.local.{} {},[%t7];\n", type, target));
}

// Some cp.async in one or two groups, with zeros behind or without a source.
Node async_copy(Builder& b) {
  const int copies = 1 + b.random.below(3);
  std::string text;
  int groups = 0;
  for (int n = 0; n < copies; ++n) {
    static const std::vector<int> kSizes = {4, 8, 16};
    const int bytes = b.random.of(kSizes), place = b.random.below(64 / bytes) * bytes;
    const std::string index = b.r32(), count = b.r32(), ignore = b.predicate();
    text += fmt::format("and.b32 %t7,{},4095;\nmad.wide.u32 %td7,%t7,16,%I;\n", index);
    std::string last;
    if (const int how = b.random.below(4); how == 1) {
      text += fmt::format("and.b32 %t6,{},31;\nmin.u32 %t6,%t6,{};\n", count, bytes);
      last = ",%t6";
    } else if (how == 2) {
      last = "," + ignore;
    }
    const std::string cache = bytes == 16 && b.random.one_in(2) ? "cg" : "ca";
    const std::string guard = b.random.one_in(4) ? "@" + b.predicate() + " " : "";
    text += fmt::format("{}cp.async.{}.shared.global [%S+{}],[%td7],{}{};\n", guard, cache, place,
                        bytes, last);
    // Copies of one group have no order: each waits for those before it where they could meet.
    text += "cp.async.commit_group;\ncp.async.wait_group 0;\n";
    ++groups;
  }
  const std::string target = b.r64();
  const int from = b.random.below(8) * 8;
  return b.node(text + fmt::format("ld.shared.b64 {},[%S+{}];\n", target, from));
}

// Sixteen bytes of a thread's shared memory are added to its global ones, and the like.
Node bulk_reduce(Builder& b) {
  static const std::vector<std::string> kKinds = {
      "add.u32",       "add.s32", "add.u64",  "min.u32",        "max.s32", "inc.u32",
      "dec.u32",       "and.b32", "or.b64",   "xor.b32",        "min.s64", "max.u64",
      "add.noftz.f16", "min.f16", "max.bf16", "add.noftz.bf16", "add.f32", "add.f64"};
  const std::string kind = b.random.of(kKinds), target = b.r64();
  const int from = b.random.below(4) * 16, to = b.random.below(4) * 16,
            half = b.random.below(2) * 8;
  return b.node(
      fmt::format("fence.proxy.async;\ncp.reduce.async.bulk.global.shared::cta.bulk_group.{} "
                  "[%G+{}],[%S+{}],16;\n"
                  "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group "
                  "0;\nfence.proxy.async;\nld.global.b64 {},[%G+{}];\n",
                  kind, to, from, target, to + half));
}

// Lanes that are somewhere in a branch: from the last one, or from the one before.
Node shuffle_of_members(Builder& b, const Scope& scope) {
  const std::string value = b.r32(), target = b.r32(), p = b.predicate();
  std::string text;
  if (b.random.one_in(2))
    text = fmt::format("mov.b32 %t6,{};\nbfind.u32 %t7,%t6;\n", scope.mask);
  else
    text = fmt::format(
        "mov.u32 %t6,%lanemask_lt;\nand.b32 %t6,%t6,{};\nbfind.u32 %t7,%t6;\nmov.u32 %t5,%laneid;\n"
        "setp.eq.u32 %tp6,%t6,0;\nselp.u32 %t7,%t5,%t7,%tp6;\n",
        scope.mask);
  return b.node(
      text + fmt::format("shfl.sync.idx.b32 {}|{},{},%t7,31,{};\n", target, p, value, scope.mask));
}

}  // namespace lanescope::golden::random
