// SPDX-License-Identifier: MIT
// The atlas against NVIDIA's assembler: every entry assembles for the first PTX version and target
// that it names, with the registers that it says, and a sample of illegal neighbours does not.
//
// ptxas speaks of syntax and register counts only, not of who holds what. It is lax in places;
// where it takes more than the ISA allows, docs/errata.md says so.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <tuple>

#include "layout/mover.hpp"
#include "layout/scales.hpp"
#include "tests/build_folder.hpp"
#include "tests/layout/ptx_line.hpp"
#include "tests/layout/ptx_paste.hpp"

using namespace lanescope::layout;

namespace {

struct Outcome {
  bool accepted;
  std::string said;
};

// Assembles `text`. Accepted modules are remembered by their content: the suite runs often, the
// toolkit changes rarely.
Outcome assemble(const std::string& text, std::string_view target) {
  const std::filesystem::path folder = lanescope::tests::build_folder() / "tests" / "ptxas";
  std::filesystem::create_directories(folder);
  const std::size_t hash = std::hash<std::string>{}(text + LANESCOPE_PTXAS_STAMP);
  const std::string stem = (folder / fmt::format("{}_{:016x}", target, hash)).string();
  if (std::filesystem::exists(stem + ".accepted")) return {true, ""};
  std::ofstream(stem + ".ptx") << text;
  const std::string command =
      fmt::format("'{}' -O0 -arch {} '{}.ptx' -o '{}.cubin' > '{}.log' 2>&1", LANESCOPE_PTXAS,
                  target, stem, stem, stem);
  const bool accepted = std::system(command.c_str()) == 0;
  std::ifstream log(stem + ".log");
  std::string said(std::istreambuf_iterator<char>(log), {});
  std::filesystem::remove(stem + ".cubin");
  std::filesystem::remove(stem + ".log");
  if (accepted) std::ofstream(stem + ".accepted") << "\n";
  if (accepted) std::filesystem::remove(stem + ".ptx");
  return {accepted, said.substr(0, 2000)};
}

// "8.7" as 807.
int version_number(std::string_view version) {
  const std::size_t dot = version.find('.');
  return std::stoi(std::string(version.substr(0, dot))) * 100 +
         std::stoi(std::string(version.substr(dot + 1)));
}
std::string later(std::string_view a, std::string_view b) {
  return std::string(version_number(a) < version_number(b) ? b : a);
}

// The oldest PTX that knows a target at all (PTX ISA 9.2, 13, release notes). ptxas 13 has no
// sm_70 any more: what asks for it is assembled for sm_75.
std::string target_version(const std::string& target) {
  static const std::map<std::string, std::string> known{
      {"sm_75", "6.3"},   {"sm_80", "7.0"},   {"sm_89", "7.8"},   {"sm_90", "7.8"},
      {"sm_90a", "8.0"},  {"sm_100a", "8.6"}, {"sm_103a", "8.8"}, {"sm_110a", "9.0"},
      {"sm_120a", "8.7"}, {"sm_121a", "8.8"}};
  const auto found = known.find(target);
  REQUIRE_MESSAGE(found != known.end(), target);
  return found->second;
}
std::vector<std::string> targets_of(std::string_view targets) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at < targets.size();) {
    const std::size_t end = std::min(targets.find(' ', at), targets.size());
    std::string target(targets.substr(at, end - at));
    all.push_back(target == "sm_70" ? "sm_75" : target);
    at = end + 1;
  }
  return all;
}

// Target, version and whether for CTA pairs -> lines. ptxas wants a kernel to be of one CTA group.
struct Where {
  std::string target, version;
  bool pairs = false;
  bool operator<(const Where& other) const {
    return std::tie(target, version, pairs) < std::tie(other.target, other.version, other.pairs);
  }
};
using Modules = std::map<Where, std::vector<std::string>>;

void add(Modules& modules, std::string_view targets, std::string_view ptx,
         const std::vector<std::string>& lines) {
  const bool pairs = !lines.empty() && lines.front().find(".cta_group::2") != std::string::npos;
  for (const std::string& target : targets_of(targets)) {
    std::vector<std::string>& all = modules[{target, later(ptx, target_version(target)), pairs}];
    // D of tcgen05.mma: M and N are not in the line.
    if (!all.empty() && all.back() == lines.front()) continue;
    all.insert(all.end(), lines.begin(), lines.end());
  }
}

}  // namespace

TEST_CASE("every entry assembles, for its first PTX version and target") {
  Modules modules;
  std::size_t entries = 0;
  for (const Instruction& i : instructions()) {
    add(modules, i.target, i.ptx, ptx_lines(i));
    ++entries;
  }
  for (const Mover& m : movers()) {
    add(modules, m.target, m.ptx, {mover_ptx(m)});
    ++entries;
  }
  CHECK(entries > 1700);
  for (const auto& [where, lines] : modules) {
    const Outcome outcome = assemble(ptx_module(where.version, where.target, lines), where.target);
    CHECK_MESSAGE(outcome.accepted, where.target << " PTX " << where.version << ":\n"
                                                 << outcome.said);
  }
}

TEST_CASE("every selector of scale factors assembles, in numbers and in registers; a kind first") {
  const std::string types[] = {
      "mxf8f6f4.block_scale.scale_vec::1X.m16n8k32.row.col.f32.e4m3.e2m1.",
      "mxf4.block_scale.scale_vec::2X.m16n8k64.row.col.f32.e2m1.e2m1.",
      "mxf4nvf4.block_scale.scale_vec::4X.m16n8k64.row.col.f32.e2m1.e2m1."};
  std::vector<std::string> lines{".reg .b16 %h<2>;"};
  for (const std::string& type : types) {
    const std::string mnemonic = "mma.sync.aligned.kind::" + type +
                                 (type.find("4X") == std::string::npos ? "f32.ue8m0" : "f32.ue4m3");
    const Instruction* found = find(mnemonic);
    REQUIRE(found != nullptr);
    const std::string matrices =
        mnemonic + " {%r0,%r1,%r2,%r3},{%r4,%r5,%r6,%r7},{%r8,%r9},{%r0,%r1,%r2,%r3},";
    for (const ScaleSelector a : scale_selectors(*found, 'S'))
      for (const ScaleSelector b : scale_selectors(*found, 'T'))
        lines.push_back(matrices + fmt::format("%r10,{{{},{}}},%r11,{{{},{}}};", a.byte_id,
                                               a.thread_id, b.byte_id, b.thread_id));
    lines.push_back(matrices + "{%r10},{%h0,%h1},{%r11},{%h1,%h0};");
  }
  CHECK(lines.size() == 1 + 128 + 32 + 8 + 3);
  const Outcome outcome = assemble(ptx_module("9.0", "sm_120a", lines), "sm_120a");
  CHECK_MESSAGE(outcome.accepted, outcome.said);
}

TEST_CASE("what --explain gives to paste as PTX assembles, for every map") {
  const Outcome outcome = assemble(ptx_module_of(ptx_maps()), "sm_80");
  CHECK_MESSAGE(outcome.accepted, outcome.said);
}

TEST_CASE("illegal neighbours are refused") {
  struct Illegal {
    const char *version, *target, *line;
  };
  const Illegal all[] = {
      // tensor memory: more than 128 registers, another family of cards
      {"8.6", "sm_100a", "tcgen05.ld.sync.aligned.16x64b.x256.b32 {%r0},[%r1];"},
      {"8.7", "sm_120a", "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r0},[%r1];"},
      {"8.6", "sm_100a", "tcgen05.ld.sync.aligned.16x256b.x1.b32 {%r0,%r1},[%r2];"},
      // .pack is of loads, and halves no registers; .ws is of one CTA; sparse needs metadata
      {"8.6", "sm_100a", "tcgen05.ld.sync.aligned.32x32b.x1.unpack::16b.b32 {%r0},[%r1];"},
      {"8.6", "sm_100a", "tcgen05.ld.sync.aligned.32x32b.x2.pack::16b.b32 {%r0},[%r1];"},
      {"8.6", "sm_100a", "tcgen05.mma.ws.cta_group::2.kind::f16 [%r0],%rd0,%rd1,%r1,p;"},
      {"8.6", "sm_100a", "tcgen05.mma.sp.cta_group::2.kind::f16 [%r0],%rd0,%rd1,%r1,p;"},
      {"8.7", "sm_120a", "tcgen05.mma.cta_group::1.kind::f16 [%r0],%rd0,%rd1,%r1,p;"},
      // scale-input-d is of f16 and tf32 (of i8: erratum 20)
      {"9.0", "sm_100a", "tcgen05.mma.cta_group::1.kind::f8f6f4 [%r0],%rd0,%rd1,%r1,p,1;"},
      // one PTX version, or one target, too early
      {"6.3", "sm_75",
       "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 "
       "{%r0,%r1,%r2,%r3},{%r4,%r5},{%r6,%r7},{%r0,%r1,%r2,%r3};"},
      {"9.0", "sm_75",
       "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
       "{%r0,%r1,%r2,%r3},{%r4,%r5,%r6,%r7},{%r8,%r9},{%r0,%r1,%r2,%r3};"},
      {"8.3", "sm_89",
       "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 "
       "{%r0,%r1,%r2,%r3},{%r4,%r5,%r6,%r7},{%r8,%r9},{%r0,%r1,%r2,%r3};"},
      {"8.6", "sm_89",
       "mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e4m3.f16 "
       "{%r0,%r1},{%r4,%r5,%r6,%r7},{%r8,%r9},{%r0,%r1};"},
      {"9.0", "sm_80",
       "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 "
       "{%r0,%r1,%r2,%r3},{%r4,%r5,%r6,%r7},{%r8,%r9},{%r0,%r1,%r2,%r3};"},
      {"9.0", "sm_89",
       "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 "
       "{%d0,%d1,%d2,%d3},{%d4,%d5},{%d6},{%d0,%d1,%d2,%d3};"},
      {"7.0", "sm_80",
       "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc "
       "{%r0,%r1,%r2,%r3},{%r4,%r5,%r6,%r7},{%r8,%r9},{%r0,%r1,%r2,%r3};"},
      {"9.0", "sm_75",
       "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc {%r0,%r1},{%r4},{%r8},{%r0,%r1};"},
      {"9.0", "sm_90",
       "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r0,%r1,%r2,%r3},%rd0,%rd1,p,1,1,0,0;"},
      {"8.3", "sm_90a",
       "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.u8 {%r0,%r1,%r2,%r3},%rd0,%rd1,p;"},
      {"8.1", "sm_90a",
       "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 "
       "{%r0,%r1,%r2,%r3},%rd0,%rd1,%r4,0,p,1,1,0,0;"},
      // layouts, types and shapes that do not exist
      {"9.0", "sm_90a",
       "mma.sync.aligned.m16n8k16.col.col.f32.f16.f16.f32 "
       "{%r0,%r1,%r2,%r3},{%r4,%r5,%r6,%r7},{%r8,%r9},{%r0,%r1,%r2,%r3};"},
      {"9.0", "sm_90a",
       "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f32 "
       "{%r0,%r1},{%r4,%r5,%r6,%r7},{%r8,%r9},{%r0,%r1,%r2,%r3};"},
      {"9.0", "sm_90a",
       "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f32 "
       "{%r0,%r1,%r2,%r3},{%r8,%r9},{%r10,%r11},{%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7};"},
      {"9.0", "sm_90a",
       "mma.sync.aligned.m16n8k16.row.col.f16.bf16.bf16.f16 "
       "{%r0,%r1},{%r4,%r5,%r6,%r7},{%r8,%r9},{%r0,%r1};"},
      {"9.0", "sm_90a",
       "mma.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32 "
       "{%r0,%r1,%r2,%r3},{%r4,%r5,%r6,%r7,%r8,%r9,%r10,%r11},{%r12,%r13,%r14,%r15},{%r0,%r1,%r2,%"
       "r3};"},
      {"9.0", "sm_90a",
       "mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32 "
       "{%r0,%r1,%r2,%r3},{%r4,%r5,%r6,%r7},{%r8,%r9},{%r0,%r1,%r2,%r3};"},
      {"9.0", "sm_90a",
       "mma.sync.aligned.m16n8k32.row.col.s32.s8.s4.s32 "
       "{%r0,%r1,%r2,%r3},{%r4,%r5,%r6,%r7},{%r8,%r9},{%r0,%r1,%r2,%r3};"},
      {"9.0", "sm_90a",
       "mma.sync.aligned.m16n8k128.row.col.satfinite.s32.b1.b1.s32.xor.popc "
       "{%r0,%r1,%r2,%r3},{%r4,%r5},{%r8},{%r0,%r1,%r2,%r3};"},
      {"9.0", "sm_90a",
       "mma.sync.aligned.m16n8k64.row.col.f32.e4m3.e4m3.f32 "
       "{%r0,%r1,%r2,%r3},{%r4,%r5,%r6,%r7},{%r8,%r9,%r10,%r11},{%r0,%r1,%r2,%r3};"},
      // one register too many or too few
      {"9.0", "sm_90a",
       "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
       "{%r0,%r1,%r2,%r3},{%r4,%r5},{%r8,%r9},{%r0,%r1,%r2,%r3};"},
      {"9.0", "sm_90a",
       "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
       "{%r0,%r1,%r2,%r3},{%r4,%r5},{%r8,%r9},{%r0,%r1,%r2,%r3};"},
      {"9.0", "sm_90a",
       "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%r0,%r1,%r2,%r3},%rd0,%rd1,p,1,1,0,0;"},
      // sparse: selectors and types
      {"9.0", "sm_90a",
       "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
       "{%r0,%r1,%r2,%r3},{%r4,%r5},{%r8,%r9},{%r0,%r1,%r2,%r3},%r10,4;"},
      {"9.0", "sm_90a",
       "mma.sp.sync.aligned.m16n8k32.row.col.f16.f16.f16.f16 "
       "{%r0,%r1},{%r4,%r5,%r6,%r7},{%r8,%r9,%r10,%r11},{%r0,%r1},%r12,2;"},
      {"9.0", "sm_90a",
       "mma.sp.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32 "
       "{%r0,%r1,%r2,%r3},{%r4,%r5,%r6,%r7},{%r8,%r9,%r10,%r11},{%r0,%r1,%r2,%r3},%r12,1;"},
      {"9.0", "sm_90a",
       "mma.sp.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 "
       "{%r0,%r1,%r2,%r3},{%r4,%r5},{%r8,%r9},{%r0,%r1,%r2,%r3},%r12,0;"},
      {"9.0", "sm_120",
       "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.f16.e4m3.e4m3.f16 "
       "{%r0,%r1},{%r4,%r5,%r6,%r7},{%r8,%r9,%r10,%r11},{%r0,%r1},%r12,0;"},
      {"9.0", "sm_120a",
       "mma.sp.sync.aligned.m16n8k64.row.col.kind::f8f6f4.f32.e2m1.e2m1.f32 "
       "{%r0,%r1,%r2,%r3},{%r4,%r5,%r6,%r7},{%r8,%r9,%r10,%r11},{%r0,%r1,%r2,%r3},%r12,0;"},
      // the sm_120 kinds
      {"9.0", "sm_100a",
       "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e2m1.f32 "
       "{%r0,%r1,%r2,%r3},{%r4,%r5,%r6,%r7},{%r8,%r9},{%r0,%r1,%r2,%r3};"},
      {"9.0", "sm_120",
       "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e4m3.e4m3.f32 "
       "{%r0,%r1,%r2,%r3},{%r4,%r5,%r6,%r7},{%r8,%r9},{%r0,%r1,%r2,%r3};"},
      {"9.0", "sm_120a",
       "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1."
       "f32.ue4m3 "
       "{%r0,%r1,%r2,%r3},{%r4,%r5,%r6,%r7},{%r8,%r9},{%r0,%r1,%r2,%r3},%r10,{0,0},%r11,{0,0};"},
      {"9.0", "sm_120a",
       "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1."
       "f32.ue8m0 "
       "{%r0,%r1,%r2,%r3},{%r4,%r5,%r6,%r7},{%r8,%r9},{%r0,%r1,%r2,%r3},%r10,{0,0},%r11,{0,0};"},
      // scale factors: byte-ids and thread-ids that there are not, registers of 32 bits
      {"9.0", "sm_120a",
       "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32."
       "ue8m0 {%r0,%r1,%r2,%r3},{%r4,%r5,%r6,%r7},{%r8,%r9},{%r0,%r1,%r2,%r3},%r10,{1,0},%r11,{0,0}"
       ";"},
      {"9.0", "sm_120a",
       "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32."
       "ue8m0 {%r0,%r1,%r2,%r3},{%r4,%r5,%r6,%r7},{%r8,%r9},{%r0,%r1,%r2,%r3},%r10,{0,2},%r11,{0,0}"
       ";"},
      {"9.0", "sm_120a",
       "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32."
       "ue8m0 {%r0,%r1,%r2,%r3},{%r4,%r5,%r6,%r7},{%r8,%r9},{%r0,%r1,%r2,%r3},%r10,{0,0},%r11,{0,4}"
       ";"},
      {"9.0", "sm_120a",
       "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32."
       "ue8m0 {%r0,%r1,%r2,%r3},{%r4,%r5,%r6,%r7},{%r8,%r9},{%r0,%r1,%r2,%r3},%r10,{%r12,0},%r11,"
       "{0,0};"},
      // wgmma: N, types, operations
      {"9.0", "sm_90a",
       "wgmma.mma_async.sync.aligned.m64n40k32.s32.s8.s8 "
       "{%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8,%r9,%r10,%r11,%r12,%r13,%r14,%r15,%r16,%r17,%r18,%r19}"
       ",%rd0,%rd1,p;"},
      {"9.0", "sm_90a",
       "wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.xor.popc {%r0,%r1,%r2,%r3},%rd0,%rd1,p;"},
      {"9.0", "sm_90a",
       "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%r0,%r1,%r2,%r3},%rd0,%rd1,p,1,1,0,0;"},
      // ldmatrix, stmatrix, movmatrix
      {"9.0", "sm_90a", "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r0,%r1},[tile];"},
      {"9.0", "sm_100a", "ldmatrix.sync.aligned.m16n16.x1.shared.b8 {%r0,%r1},[tile];"},
      {"9.0", "sm_100a",
       "ldmatrix.sync.aligned.m16n16.x4.trans.shared.b8 {%r0,%r1,%r2,%r3},[tile];"},
      {"9.0", "sm_100a",
       "ldmatrix.sync.aligned.m8n16.x1.trans.shared.b8x16.b4x16_p64 {%r0},[tile];"},
      {"9.0", "sm_100a", "stmatrix.sync.aligned.m16n8.x1.shared.b8 [tile],{%r0};"},
      {"9.0", "sm_89", "stmatrix.sync.aligned.m8n8.x1.shared.b16 [tile],{%r0};"},
      {"9.0", "sm_90a", "movmatrix.sync.aligned.m8n8.b16 %r0,%r1;"},
  };
  for (const Illegal& illegal : all) {
    const Outcome outcome =
        assemble(ptx_module(illegal.version, illegal.target, {illegal.line}), illegal.target);
    CHECK_MESSAGE(!outcome.accepted, illegal.target << " takes " << illegal.line);
    // refused for what it is, not because the module around it is broken
    CHECK_MESSAGE(outcome.said.find("line 10") != std::string::npos, outcome.said);
  }
}

TEST_CASE("ptxas takes more than the ISA allows (docs/errata.md); should that end, say so there") {
  struct Lax {
    const char *erratum, *target, *line;
  };
  const Lax all[] = {
      {"8", "sm_90a",
       "wgmma.mma_async.sync.aligned.m64n8k32.satfinite.s32.s8.s8 {%r0,%r1,%r2,%r3},%rd0,%rd1,p;"},
      {"8", "sm_90a",
       "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8.satfinite {%r0,%r1,%r2,%r3},%rd0,%rd1,p;"},
      {"9", "sm_100a",
       "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e4m3.e5m2.f32 "
       "{%r0,%r1,%r2,%r3},{%r4,%r5,%r6,%r7},{%r8,%r9},{%r0,%r1,%r2,%r3};"},
      {"11", "sm_89",
       "mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e4m3.f32 "
       "{%r0,%r1,%r2,%r3},{%r4,%r5},{%r8,%r9},{%r0,%r1,%r2,%r3};"},
      {"11", "sm_89",
       "mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e4m3.f32 "
       "{%r0,%r1,%r2,%r3},{%r4,%r5},{%r8,%r9,%r10,%r11},{%r0,%r1,%r2,%r3};"},
      {"11", "sm_80",
       "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 "
       "{%r0,%r1,%r2,%r3},{%r4,%r5,%r6,%r7},{%r8,%r9,%r10,%r11},{%r0,%r1,%r2,%r3},%r12,2;"},
      {"13", "sm_80",
       "mma.sync.aligned.m8n8k4.row.col.rz.f64.f64.f64.f64 {%d0,%d1},{%d2},{%d3},{%d0,%d1};"},
      {"14", "sm_120a",
       "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc "
       "{%r0,%r1,%r2,%r3},{%r4,%r5,%r6,%r7},{%r8,%r9},{%r0,%r1,%r2,%r3};"},
      {"20", "sm_100a", "tcgen05.mma.cta_group::1.kind::i8 [%r0],%rd0,%rd1,%r1,p,1;"},
  };
  for (const Lax& lax : all) {
    const Outcome outcome = assemble(ptx_module("9.0", lax.target, {lax.line}), lax.target);
    CHECK_MESSAGE(outcome.accepted, "erratum " << lax.erratum << ": " << outcome.said);
  }
}
