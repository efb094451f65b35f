// SPDX-License-Identifier: MIT
// Statements of two CTAs in a cluster: each other's shared memory, between barriers of both.
#include "builder.hpp"

namespace lanescope::golden::random {
namespace {

constexpr int kExchange = 10240, kCell = 11264, kMbarrier = 11392;

std::string meet(Builder& b) {
  switch (b.random.below(3)) {
    case 0:
      return "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n";
    case 1:
      return "barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;\n";
    default:
      return "barrier.cluster.arrive;\nbarrier.cluster.wait;\n";
  }
}

// %t7: a place of `tile` in the CTA that a register says.
std::string remote(Builder& b, const std::string& place) {
  const std::string rank = b.r32();
  return fmt::format("and.b32 %t5,{},1;\nmapa.shared::cluster.u32 %t7,{},%t5;\n", rank, place);
}

}  // namespace

Node cluster_exchange(Builder& b) {
  const std::string value = b.r64(), target = b.r64(), index = b.r32();
  std::string text = meet(b) + fmt::format("st.shared.b64 [%E],{};\n", value) + meet(b);
  text += fmt::format("rem.u32 %t7,{},{};\nmov.u32 %t6,tile;\nmad.lo.u32 %t7,%t7,8,%t6;\n", index,
                      b.program.threads);
  text += remote(b, "%t7");
  if (b.random.one_in(2)) {
    text += fmt::format("ld.shared::cluster.b64 {},[%t7+{}];\n", target, kExchange);
  } else {
    const std::string rank = b.r32();
    text += fmt::format(
        "rem.u32 %t7,{},{};\nmad.lo.u32 %t7,%t7,8,%t6;\ncvt.u64.u32 %td7,%t7;\ncvta.shared.u64 "
        "%td7,%td7;\n"
        "and.b32 %t5,{},1;\nmapa.u64 %td7,%td7,%t5;\nld.b64 {},[%td7+{}];\n",
        index, b.program.threads, rank, target, kExchange);
  }
  return b.node(text + meet(b));
}

// All threads of both add to cells of either. Not the least or greatest of 64 bits: ptxas 13.0
// makes a load and a store of them (docs/experiments/ptxas_mistakes.md).
Node cluster_cell(Builder& b) {
  static const std::vector<std::string> kKinds = {"add.u32", "and.b32", "or.b32",
                                                  "xor.b32", "min.u32", "min.s32",
                                                  "max.u32", "max.s32", "add.u64"};
  const std::string kind = b.random.of(kKinds);
  const bool wide = kind.substr(kind.size() - 2) == "64";
  const std::string bits = wide ? "b64" : "b32", value = wide ? b.r64() : b.r32(),
                    first = wide ? b.r64() : b.r32(), target = wide ? b.r64() : b.r32();
  std::string text = meet(b) +
                     fmt::format("setp.eq.u32 %tp5,%i0,0;\n@%tp5 st.shared.{} [tile+{}],{};\n",
                                 bits, kCell, first) +
                     meet(b);
  text += "mov.u32 %t6,tile;\n" + remote(b, "%t6");
  text += fmt::format("red.shared::cluster.{} [%t7+{}],{};\n", kind, kCell, value) + meet(b);
  return b.node(text + fmt::format("ld.shared.{} {},[tile+{}];\n", bits, target, kCell) + meet(b));
}

// Every thread sends its twin eight bytes, which the twin's mbarrier counts.
Node cluster_send(Builder& b) {
  const std::string value = b.r64(), target = b.r64(), wait = b.label("wait");
  const int rank = b.random.below(2);  // to the other one, or to itself
  std::string text = meet(b) + fmt::format(
                                   "setp.eq.u32 %tp5,%i0,0;\nmov.u32 %t6,tile;\nadd.u32 "
                                   "%t6,%t6,{};\n@%tp5 mbarrier.init.shared.b64 [%t6],1;\n"
                                   "@%tp5 mbarrier.arrive.expect_tx.shared.b64 _,[%t6],{};\n",
                                   kMbarrier, 8 * b.program.threads);
  text += "fence.mbarrier_init.release.cluster;\n" + meet(b);
  text += fmt::format(
      "mov.u32 %t5,%cluster_ctarank;\nxor.b32 %t5,%t5,{};\nmapa.shared::cluster.u32 %t7,%E,%t5;\n"
      "mapa.shared::cluster.u32 %t4,%t6,%t5;\n"
      "st.async.shared::cluster.mbarrier::complete_tx::bytes.b64 [%t7],{},[%t4];\n"
      "{}:\nmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %tp6,[%t6],0;\n@!%tp6 bra "
      "{};\nld.shared.b64 {},[%E];\n",
      rank, value, wait, wait, target);
  return b.node(text + meet(b) + "@%tp5 mbarrier.inval.shared.b64 [%t6];\n");
}

}  // namespace lanescope::golden::random
