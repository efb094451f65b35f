// SPDX-License-Identifier: MIT
// Statements in which the threads of a CTA, or of a warp, meet. Each begins with a barrier, so that
// nobody still reads what it writes. In the CTA's shared memory there are, from `tile` on, 64 bytes
// of each thread's own, 512 of each warp, 8 of each thread to be exchanged, cells, an mbarrier, and
// 2048 for bulk copies.
#include "builder.hpp"

namespace lanescope::golden::random {
namespace {

constexpr int kExchange = 10240, kCell = 11264, kMbarrier = 11392, kBulk = 11520;

std::string barrier(Builder& b) {
  const int threads = (b.program.threads + 31) / 32 * 32, id = b.random.below(4);
  switch (b.random.below(b.whole_warps() ? 6 : 1)) {
    case 0:
      return fmt::format("barrier.sync {};\n", id);
    case 1:
      return fmt::format("bar.sync {},{};\n", id, threads);
    case 2:
      return fmt::format("barrier.cta.sync.aligned {};\n", id);
    case 3:
      return fmt::format("barrier.cta.sync {},{};\n", id, threads);
    default:
      return "bar.sync 0;\n";
  }
}

// %t7: the address of the exchanged word of a thread that a register says.
std::string somebody(Builder& b) {
  const std::string index = b.r32();
  return fmt::format("rem.u32 %t7,{},{};\nmov.u32 %t6,tile;\nmad.lo.u32 %t7,%t7,8,%t6;\n", index,
                     b.program.threads);
}

}  // namespace

Node exchange(Builder& b) {
  const std::string value = b.r64(), target = b.r64();
  std::string text = barrier(b);
  text += fmt::format("st.shared.b64 [%E],{};\n", value);
  text += barrier(b);
  const std::string load = somebody(b);
  return b.node(text + load + fmt::format("ld.shared.b64 {},[%t7+{}];\n", target, kExchange));
}

// A barrier that counts; or one where the first warp hands over to the others without waiting.
Node counted_barrier(Builder& b) {
  const std::string p = b.predicate(), target = b.r32(), value = b.r64(), wide = b.r64();
  const std::string sign = b.random.one_in(2) ? "!" : "";
  const int id = b.random.below(4), threads = (b.program.threads + 31) / 32 * 32;
  switch (b.random.below(!b.whole_warps() ? 2 : b.program.threads >= 64 ? 4 : 3)) {
    case 0:
      return b.node(fmt::format("bar.red.popc.u32 {},{},{}{};\n", target, id, sign, p));
    case 1: {
      const std::string out = b.predicate(), kind = b.random.one_in(2) ? "and" : "or";
      return b.node(fmt::format("bar.red.{}.pred {},{},{}{};\n", kind, out, id, sign, p));
    }
    case 2:
      return b.node(
          fmt::format("barrier.cta.red.popc.u32 {},{},{},{}{};\n", target, id, threads, sign, p));
    default: {
      const std::string wait = b.label("hand"), end = b.label("handed");
      const std::string load = somebody(b);
      return b.node(fmt::format(
          "bar.sync 0;\nst.shared.b64 [%E],{};\nsetp.ge.u32 %tp5,%i0,32;\n@%tp5 bra {};\n"
          "bar.arrive 5,{};\nbra {};\n{}:\nbar.sync 5,{};\nand.b32 %t7,{},31;\nmov.u32 %t6,tile;\n"
          "mad.lo.u32 %t7,%t7,8,%t6;\nld.shared.b64 {},[%t7+{}];\n{}:\n",
          value, wait, threads, end, wait, threads, target, wide, kExchange, end));
    }
  }
}

// All threads add to a cell, or those whose predicate says so; then everybody reads it.
Node cell(Builder& b) {
  static const std::vector<std::string> kKinds = {
      "add.u32", "add.s32", "add.u64", "and.b32", "or.b32",  "xor.b32",
      "and.b64", "or.b64",  "xor.b64", "min.u32", "min.s32", "max.u32",
      "max.s32", "min.u64", "max.s64", "inc.u32", "dec.u32"};
  const std::string kind = b.random.of(kKinds);
  const bool wide = kind.substr(kind.size() - 2) == "64", global = b.random.one_in(2);
  const bool bounded = kind.rfind("inc", 0) == 0 || kind.rfind("dec", 0) == 0;
  const int place = b.random.below(8) * 8;
  const std::string where =
      global ? fmt::format("[%K+{}]", place) : fmt::format("[tile+{}]", kCell + place);
  const std::string space = global ? "global" : "shared";
  const std::string bits = wide ? "b64" : "b32";
  std::string value = wide ? b.r64() : b.r32();
  const std::string first = wide ? b.r64() : b.r32(), target = wide ? b.r64() : b.r32();
  if (bounded) value = fmt::format("{}", 1 + b.random.below(40));
  const std::string guard = b.random.one_in(3) ? "@" + b.predicate() + " " : "";
  const std::string scope = b.random.one_in(3) ? ".relaxed.cta" : "";
  std::string text = "bar.sync 0;\nsetp.eq.u32 %tp5,%i0,0;\n";
  text += fmt::format("@%tp5 st.{}.{} {},{};\nbar.sync 0;\n", space, bits, where, first);
  const int dot = static_cast<int>(kind.find('.'));
  const std::string type = bounded ? "u32" : kind.substr(static_cast<std::size_t>(dot) + 1);
  const std::string operation = kind.substr(0, static_cast<std::size_t>(dot));
  text += fmt::format("{}red{}.{}.{}.{} {},{};\nbar.sync 0;\n", guard, scope, space, operation,
                      type, where, value);
  return b.node(text + fmt::format("ld.{}.{} {},{};\n", space, bits, target, where));
}

// What a barrier does in `exchange`, an mbarrier does here; twice, so that its phase turns.
Node mbarrier_exchange(Builder& b) {
  const std::string first = b.label("wait"), second = b.label("again"), value = b.r64(),
                    target = b.r64(), state = b.r64(), other = b.r64();
  const std::string load = somebody(b);
  const bool by_state = b.random.one_in(2);
  const std::string test = b.random.one_in(2) ? "try_wait" : "test_wait";
  std::string text = fmt::format(
      "bar.sync 0;\nsetp.eq.u32 %tp5,%i0,0;\nmov.u32 %t5,tile;\nadd.u32 %t5,%t5,{};\n"
      "@%tp5 mbarrier.init.shared.b64 [%t5],{};\nbar.sync 0;\nst.shared.b64 [%E],{};\n"
      "mbarrier.arrive.shared.b64 %td6,[%t5];\n{}:\n",
      kMbarrier, b.program.threads, value, first);
  text += by_state ? fmt::format("mbarrier.{}.shared.b64 %tp6,[%t5],%td6;\n", test)
                   : fmt::format("mbarrier.{}.parity.shared.b64 %tp6,[%t5],0;\n", test);
  text += fmt::format("@!%tp6 bra {};\n", first) + load;
  text += fmt::format("ld.shared.b64 {},[%t7+{}];\n", target, kExchange);
  text += fmt::format("mbarrier.arrive.shared.b64 %td6,[%t5];\n{}:\n", second);
  text +=
      fmt::format("mbarrier.try_wait.parity.shared.b64 %tp6,[%t5],1;\n@!%tp6 bra {};\n", second);
  text += fmt::format(
      "st.shared.b64 [%E],{};\nbar.sync 0;\n@%tp5 mbarrier.inval.shared.b64 [%t5];\n", other);
  return b.node(text + fmt::format("ld.shared.b64 {},[%E];\n", state));
}

// Everybody draws a number; who got which is open, what they are together is not.
Node tickets(Builder& b) {
  const std::string target = b.r32(), step = b.random.one_in(2) ? "1" : "3";
  const bool global = b.random.one_in(2);
  const std::string space = global ? "global" : "shared";
  const auto place = [&](int byte) {
    return global ? fmt::format("[%K+{}]", 64 + byte) : fmt::format("[tile+{}]", kCell + 64 + byte);
  };
  return b.node(fmt::format(
      "bar.sync 0;\nsetp.eq.u32 %tp5,%i0,0;\n@%tp5 st.{0}.v2.b32 {1},{{0,0}};\n@%tp5 st.{0}.b32 "
      "{2},0;\nbar.sync 0;\n"
      "atom.{0}.add.u32 %t7,{1},{3};\nmul.lo.u32 %t6,%t7,%t7;\nred.{0}.add.u32 {4},%t6;\n"
      "red.{0}.xor.b32 {2},%t7;\nbar.sync 0;\nld.{0}.b32 %t5,{2};\nld.{0}.v2.b32 {{%t6,%t7}},{1};\n"
      "xor.b32 %t7,%t7,%t5;\nadd.u32 {5},%t6,%t7;\n",
      space, place(0), place(8), step, place(4), target));
}

// A bulk copy of input, which everybody waits for.
Node bulk_copy(Builder& b) {
  const std::string wait = b.label("wait"), index = b.r32(), target = b.r64();
  const int bytes = 16 * (1 + b.random.below(128)), from = 16 * b.random.below(4096);
  return b.node(fmt::format(
      "fence.proxy.async;\nbar.sync 0;\nsetp.eq.u32 %tp5,%i0,0;\nmov.u32 %t5,tile;\nadd.u32 "
      "%t6,%t5,{};\nadd.u32 %t5,%t5,{};\n"
      "@%tp5 mbarrier.init.shared.b64 [%t5],1;\nfence.proxy.async;\nbar.sync 0;\n"
      "@%tp5 mbarrier.arrive.expect_tx.shared.b64 _,[%t5],{};\nadd.s64 %td7,%I,{};\n"
      "@%tp5 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%t6],[%td7],{},[%t5];\n"
      "{}:\nmbarrier.try_wait.parity.shared.b64 %tp6,[%t5],0;\n@!%tp6 bra {};\n"
      "rem.u32 %t7,{},{};\nmad.lo.u32 %t7,%t7,8,%t6;\nld.shared.b64 {},[%t7];\nbar.sync 0;\n"
      "@%tp5 mbarrier.inval.shared.b64 [%t5];\n",
      kBulk, kMbarrier, bytes, from, bytes, wait, wait, index, bytes / 8, target));
}

// Sixteen bytes a lane, read or written as matrices.
Node warp_tile(Builder& b, const Scope& scope) {
  static const std::vector<int> kCounts = {1, 2, 4};
  const int count = b.random.of(kCounts);
  const std::string trans = b.random.one_in(2) ? ".trans" : "";
  const auto list = [](const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "{" : ",") + name;
    return text + "}";
  };
  const std::string meet = fmt::format("bar.warp.sync {};\n", scope.mask);
  const bool stores = b.random.one_in(3);
  const std::vector<std::string> whole = b.targets(32, 4), some = b.targets(32, count);
  std::string text =
      meet + fmt::format("st.shared.v4.b32 [%W],{};\n", list(b.targets(32, 4))) + meet;
  if (stores) {  // rows in another order, but each once
    const int order = b.random.below(32);
    text += fmt::format("mov.u32 %t7,%laneid;\nxor.b32 %t7,%t7,{};\nmad.lo.u32 %t7,%t7,16,%V;\n",
                        order);
    text += fmt::format("stmatrix.sync.aligned.m8n8.x{}{}.shared.b16 [%t7],{};\n", count, trans,
                        list(some));
    text += meet + fmt::format("ld.shared.v4.b32 {},[%W];\n", list(whole));
  } else {
    const std::string row = b.r32();
    text += fmt::format("and.b32 %t7,{},31;\nmad.lo.u32 %t7,%t7,16,%V;\n", row);
    text += fmt::format("ldmatrix.sync.aligned.m8n8.x{}{}.shared.b16 {},[%t7];\n", count, trans,
                        list(some));
  }
  return b.node(text);
}

}  // namespace lanescope::golden::random
