// SPDX-License-Identifier: MIT
// Which variable an address may name (decode_spaces.cpp): one of every space stands in the place of
// each address in turn, and ptxas is asked whether it goes.
#include <doctest/doctest.h>

#include "tests/emulator/unlike_ptxas.hpp"

namespace lanescope::emulator {
namespace {

constexpr const char* kAddresses = R"(
ld<|.volatile|.global|.global.nc|.shared|.shared::cta|.local|.const|.param>.b32 %r, [<word|sword+4|lword|cword|par|16>]
st<|.global|.shared::cluster|.local>.b32 [<word|sword|lword|cword|par|16>], %r
atom<|.global|.shared>.add.u32 %r, [<word|sword|lword|cword|par>], 1; red<|.global|.shared>.add.u32 [<word|sword|cword>], 1
cp.async.ca.shared.global [<word|sword|lword>], [<word|sword|cword>], 16
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [<word|sword>], [<word|sword>], 16, [<word|sword>]
cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [sword], [<word|sword|cword|par>, {%r, %r}], [<word|sword>]
cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [<word|sword>, {%r, %r}], [<word|sword>]
cp.async.bulk.prefetch.L2.global [<word|sword|cword>], 16
cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [<word|sword>], [<word|sword>], 16, [<word|sword>]
cp.async.mbarrier.arrive<|.shared>.b64 [<word|sword|cword>]
mbarrier.init<|.shared>.b64 [<word|sword|lword|cword|par|16>], 1; mbarrier.test_wait.b64 %p, [<word|sword>], %rd
st.async<|.shared::cluster>.mbarrier::complete_tx::bytes.b32 [<word|sword|cword>], %r, [<word|sword>]
st.bulk<|.shared::cta> [<word|sword|cword>], 64, 0
ldmatrix.sync.aligned.m8n8.x1<|.shared>.b16 {%r}, [<word|sword|cword>]
tcgen05.alloc.cta_group::1.sync.aligned<|.shared::cta>.b32 [<word|sword|cword>], 32
prefetch<.L1|.global.L2|.local.L1|.tensormap|.param.tensormap|.const.tensormap> [<word|sword|lword|cword|par>]
prefetchu.L1 [<word|sword|cword>]; discard.global.L2 [<word|sword>], 128
fence.proxy.tensormap::generic.acquire.gpu [<word|sword|cword|par>], 128
tensormap.replace.tile.rank<|.global|.shared::cta>.b1024.b32 [<word|sword|cword>], %r
tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [<word|sword>], [<word|sword>], 128
cvta.<global|shared|shared::cta|local|const|param>.u64 %rd, <word|sword+4|lword|cword|par|%rd>
cvta.to.<global|shared>.u64 %rd, <word|sword|cword|%rd>
mapa<|.shared::cluster>.u64 %rd, <word|sword|lword|%rd>, 1; getctarank.u64 %r, <word|sword|lword>
mov.<u64|b64|f64> <%rd|%fd>, <word|sword|par>; mov.b64 %rd, {sword, sword}; mov.b64 {%r, %r}, word
add.u64 %rd, <word|sword|%rd>, 4; st.global.u64 [%rd], word; cvt.u32.u64 %r, word; setp.eq.u64 %p, word, 0
shfl.sync.idx.b32 %r, sword, 0, 31, -1; mad.wide.u32 %rd, %r, 4, word; bar.sync sword; isspacep.global %p, word
)";

}  // namespace

TEST_CASE("a variable is addressed in its own space where ptxas wants that") {
  if (!tests::has_ptxas()) {
    MESSAGE("no ptxas here: which variables go with which instruction is not compared with it");
    return;
  }
  for (const char* target : {"sm_100a", "sm_103a", "sm_120a"})
    CHECK(unlike_ptxas(asked_forms(kAddresses), target) == "");
}

TEST_CASE("who addresses a variable of another space is told so, ptxas or not") {
  const std::vector<std::pair<const char*, const char*>> wrong{
      {"ld.global.b32 %r, [sword]",
       "sword is a variable of .shared where an address of .global should stand: ld.global.b32"},
      {"ld.b32 %r, [cword]", "cword is a variable of .const, which has no generic address; write"},
      {"mbarrier.init.b64 [word], 1", "word is a variable of .global where an address of .shared"},
      {"cvta.shared.u64 %rd, word", "word is a variable of .global where an address of .shared"},
      {"add.u64 %rd, word, 4", "the address of word stands where a register should; mov puts it"},
      {"mov.f64 %fd, word", "the address of word is a whole number"},
      {"mov.b64 %rd, {sword, sword}", "the address of sword stands in a list; mov puts it"},
      {"ld.shared.b32 %r, [16]", "a number is an address of .local alone"},
      {"ld.global.b32 %r, [%rd-4]", "an address has no minus: write [base+-4]"}};
  for (const auto& [form, message] : wrong) {
    CAPTURE(form);
    Machine machine({.arch = "sm_100a"});
    const auto module = machine.load(asked_head("sm_100a") + asked_kernel(form, 0), "space.ptx");
    CHECK(module.error.code == ErrorCode::invalid_ptx);
    CHECK(module.error.message.find(message) != std::string::npos);
    CHECK(module.error.message.find("space.ptx:6:") != std::string::npos);
  }
}

}  // namespace lanescope::emulator
