// SPDX-License-Identifier: MIT
// Which registers and numbers an instruction takes (decode_types.cpp): each operand in turn is a
// register of every kind, or a number written in every way, and ptxas is asked whether it goes.
#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/emulator/unlike_ptxas.hpp"

namespace lanescope::emulator {
namespace {

/// Stand for an operand of 16, 32 and 64 bits.
const std::vector<std::pair<char, std::vector<std::string>>> kOperands{
    {'H', {"%h", "%uh", "%sh", "%hf", "5", "1.0"}},
    {'R', {"%r", "%u", "%s", "%f", "5", "1.0", "0f3f800000", "%tid.x"}},
    {'D', {"%rd", "%ud", "%fd", "5", "1.0", "0d3ff0000000000000", "%clock64"}}};

const std::vector<std::string>* choices_of(char letter) {
  for (const auto& [name, choices] : kOperands)
    if (name == letter) return &choices;
  return nullptr;
}

/// The pattern with all its operands registers of bits, but for each in turn, which is everything.
void one_at_a_time(const std::string& pattern, std::vector<std::string>& forms) {
  std::string plain;
  for (const char c : pattern) plain += choices_of(c) ? choices_of(c)->front() : std::string{c};
  std::string before;
  for (std::size_t k = 0; k < pattern.size(); ++k) {
    const auto* choices = choices_of(pattern[k]);
    if (choices == nullptr) {
      before += pattern[k];
      continue;
    }
    std::string behind;
    for (const char c : pattern.substr(k + 1))
      behind += choices_of(c) ? choices_of(c)->front() : std::string{c};
    for (const std::string& choice : *choices) forms.push_back(before + choice + behind);
    before += choices->front();
  }
}

/// Patterns, one behind the other. H, R and D are operands of 16, 32 and 64 bits.
constexpr const char* kOneAtATime = R"(
<add|min|sub>.<u16|s16|f16|bf16> H, H, H; <add|min|mul.lo|div>.<u32|s32> R, R, R
<add|mul>.<f32|f16x2|bf16x2> R, R, R; <add|max>.<u64|f64> D, D, D; mul.wide.<u32|s32> D, R, R
mad.lo.<u32|s32> R, R, R, R; mad.wide.u32 D, R, R, D; fma.rn.<f32|f16x2> R, R, R, R
fma.rn.f64 D, D, D, D; <and|xor>.b32 R, R, R; <or|and>.b64 D, D, D; <not|cnot|popc>.b32 R, R
lop3.b32 R, R, R, R, 3; <shl.b32|shr.u32|shr.s32> R, R, R; bfe.<u32|s32> R, R, R, R
prmt.b32 R, R, R, R; dp4a.u32.s32 R, R, R, R; <rcp.rn|sqrt.rn|ex2.approx>.f32 R, R
abs.<s32|f32> R, R; setp.<lt|eq>.<u32|s32|f32> %p, R, R; setp.eq.b32 %p, R, R
setp.lt.<f64|u64> %p, D, D; set.lt.<u32|f32>.<s32|f32> R, R, R; selp.<b32|u32|f32> R, R, R, %p
selp.<u64|f64> D, D, D, %p; slct.<u32|f32>.<s32|f32> R, R, R, R; mov.<u32|b32> R, R
mov.<u64|b64> D, D; mov.<u16|b16> H, H; cvt.rn.f32.<u32|s32> R, R; cvt.rni.s32.f32 R, R
cvt.u64.u32 D, R; ld.global.<b32|u32|f32> R, [%rd]; st.global.<b32|u32|f32> [%rd], R
st.global.<b64|u64|f64> [%rd], D; atom.global.add.<u32|f32> R, [%rd], R
atom.global.cas.b32 R, [%rd], R, R; red.global.add.<u32|f32> [%rd], R
shfl.sync.idx.b32 R, R, 0, 31, -1
)";
constexpr const char* kAsTheyAre = R"(
<add|min>.<u32|f32|f16x2> %hf2, <%hf2|%r|%f>, %hf2; mov.f64 <%fd|%rd>, <%rd|%ud|%fd|1>
mov.<b32|u32|f32> <%r, {%h, %h}|{%h, %h}, %r>; mov.<b64|u64|f64> <%rd, {%r, %r}|{%r, _}, %rd>
mov.<u16|u32|u64> <%h|%r|%rd>, <%tid.x|%laneid|%clock64|%gridid|%clock|%cluster_ctarank>
cvt.<u32|u64>.<u16|u32|u64> <%r|%rd>, <%tid.x|%laneid|%clock64>
cvt<|.rn>.<bf16|f16|f32>.<f32|bf16> <%h|%r|%rd>, <%h|%r|%rd>; cvt.rn.f16x2.f32 <%r|%f|%hf2>, %f, %f
cvt.rn<|.satfinite>.e4m3x2.f16x2 %h, %r
ld.global<|.L2::cache_hint>.b32 %r, [%rd]<|, %rd>; st.global<|.L2::cache_hint>.b32 [%rd], %r<|, %rd>
<atom|red>.global.add<|.L2::cache_hint>.u32 <|%r, >[%rd], %r<|, %rd>
atom.global.cas<|.L2::cache_hint>.b32 %r, [%rd], %r, %r<|, %rd>
red.global.add<|.L2::cache_hint>.v2.f32 [%rd], {%f, %f}<|, %rd>
ld.global.v2.<u32|f32|b32> {<%f, %f|%u, %s|%f, %r|%fd, %fd>}, [%rd]
st.global.v2.<u32|f32> [%rd], {<%f, %f|%u, %s|%f, %r|1, %r>}
<bar.sync|barrier.sync|bar.arrive> <3|16|-1|%r>, <32|33|0|%r>; bar.sync <15|16>
discard.global.L2 [%rd], <128|64>
mbarrier.<arrive|arrive_drop><|.noComplete|.expect_tx>.shared.b64 <%rd|_>, [%r]<|, 1>
mbarrier.<arrive|arrive_drop><|.expect_tx>.release.cluster.shared::cluster.b64 <%rd|_>, [%r], 1
mbarrier.<try_wait|test_wait>.parity.b64 %p, [%rd], <0|1|2|%r|%f>
fence.proxy.tensormap::generic.<acquire|release>.gpu<| [%rd], 128| [%rd], 64>
cp.async.ca.shared.global<|.L2::cache_hint> [%r], [%rd], 16<|, 4|, 17|, %rd|, 4, %rd|, %p>
cp.async.bulk.global.shared::cta.bulk_group<|.L2::cache_hint> [%rd], [%r], <16|%f><|, %rd>
cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd, {<%r, %u|%f, %f|1, 2>}], [%r]
)";

std::vector<std::string> all_forms() {
  std::vector<std::string> forms = asked_forms(kAsTheyAre);
  for (const std::string& pattern : asked_forms(kOneAtATime)) one_at_a_time(pattern, forms);
  return forms;
}

}  // namespace

TEST_CASE("registers and numbers of every kind are taken where ptxas takes them") {
  if (!tests::has_ptxas()) {
    MESSAGE("no ptxas here: which operands go with which instruction is not compared with it");
    return;
  }
  for (const char* target : {"sm_100a", "sm_103a", "sm_120a"})
    CHECK(unlike_ptxas(all_forms(), target) == "");
}

TEST_CASE("a wrong operand is told what ptxas wants in its place") {
  const std::vector<std::pair<const char*, const char*>> wrong{
      {"add.f32 %f, %f, 1", "1 is a whole number where .f32 is used; ptxas wants 1.0"},
      {"add.f16 %h, %h, 1.0", "a number stands where .f16 is used; ptxas wants a register"},
      {"mov.u32 %f, 5", "%f is a register of .f32 where .u32 is used; ptxas wants .u32 or .b32"},
      {"st.global.b32 [%rd], 1.0", "stands where .b32 is used"},
      {"add.u32 %r, %tid.x, 1", "a special register is read by mov"},
      {"mov.u64 %rd, {%r, %r}", "ptxas wants no .u64 here"},
      {"mov.u64 %rd, %laneid", "%laneid has 32 bits where .u64 is used; ptxas wants mov.u32"},
      {"mov.u32 %r, %clock64", "%clock64 has 64 bits where .u32 is used; ptxas wants mov.u64"},
      {"cvt.rn.bf16.f32 %r, %f", "%r has 32 bits where .bf16 is used; beside .bf16 ptxas wants 16"},
      {"cvt.rn.e4m3x2.f16x2 %h, %r", "cvt to .e4m3x2 needs .satfinite"},
      {"ld.global.L2::cache_hint.b32 %r, [%rd]", "2 operands where 3 should be"},
      {"bar.sync 16", "the barrier's number is 16; ptxas wants 0 to 15"},
      {"bar.sync 0, 33", "the number of threads at a barrier is a multiple of 32"},
      {"match.any.sync.b32 %r|%p, %r, -1", "match.any has no predicate; match.all has one"},
      {"mbarrier.arrive.release.cluster.shared::cluster.b64 %rd, [%r]", "ptxas wants _"},
      {"ld.global.u32 %r, [%fd]", "%fd is a register of .f64 where .u64 is used"}};
  for (const auto& [form, message] : wrong) {
    CAPTURE(form);
    Machine machine({.arch = "sm_100a"});
    const auto module = machine.load(asked_head("sm_100a") + asked_kernel(form, 0), "operand.ptx");
    CHECK(module.error.code == ErrorCode::invalid_ptx);
    CHECK(module.error.message.find(message) != std::string::npos);
    CHECK(module.error.message.find("operand.ptx:6:1") != std::string::npos);
  }
}

}  // namespace lanescope::emulator
