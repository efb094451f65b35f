// SPDX-License-Identifier: MIT
// Whether the checker knows each instruction as the access that it is: for every opcode that there
// is a rule for, what it does to memory is written down here, and tried. One warp executes it,
// another one stores to the same place, or loads from there, and nothing orders the two; then with
// a barrier between.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/decode/decode.hpp"
#include "tests/emulator/check.hpp"

namespace lanescope::emulator::test {
namespace {

// Of registers, of memory that is a lane's own, of addresses alone; hints; what orders and touches
// nothing; what others do in a function that is called.
constexpr std::string_view kTouchNothing =
    "add addc sub subc div rem min max abs neg sad and or xor not cnot brev fma sqrt rcp rsqrt sin "
    "cos lg2 ex2 tanh copysign mul mad mul24 mad24 madc shl shr shf bfe bfi popc clz bfind prmt "
    "lop3 dp4a dp2a bmsk fns szext testp selp slct setp set mov cvt cvta isspacep bra brx alloca "
    "stacksave stackrestore call ret exit trap brkpt nanosleep shfl vote match activemask redux "
    "elect movmatrix mma mapa getctarank setmaxnreg createpolicy txq vadd vadd2 vadd4 vsub vsub2 "
    "vsub4 vabsdiff vabsdiff2 vabsdiff4 vmin vmin2 vmin4 vmax vmax2 vmax4 vset vset2 vset4 vavrg2 "
    "vavrg4 vshl vshr vmad prefetch prefetchu applypriority pmevent bar barrier membar fence "
    "griddepcontrol";
// docs/checker.md, "What it does not see".
constexpr std::string_view kNotSeen = "tex tld4 suld sust sured discard";

enum Does : unsigned { reads = 1, writes = 2 };
struct Access {
  std::string_view statement;
  unsigned does;
  bool is_global = false;
  int threads = 32;           // that execute it; 1: the first
  std::string_view behind{};  // what has to follow, as a wait
  std::string_view arch = "sm_90a";
};

constexpr std::string_view kWait =
    "W: mbarrier.try_wait.parity.shared.b64 %p1, [%r4], 0; @!%p1 bra W;";
constexpr std::string_view kGroup = "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;";
constexpr std::string_view kOtherHalf =
    "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64 [%r2+8], %rd9, "
    "[%r4]; W: mbarrier.try_wait.parity.shared.b64 %p1, [%r4], 0; @!%p1 bra W;";
constexpr std::string_view kCopied = "cp.async.wait_all;";

// %r2: a tile, %rd9: global memory; %r3, %rd8: 512 bytes on, for the other side of a copy; %r4: an
// mbarrier that waits for 16 bytes.
const std::vector<Access> kAccesses{
    {"ld.shared.v4.u32 {%r20, %r21, %r22, %r23}, [%r2];", reads},
    {"ld.global.u32 %r20, [%rd9];", reads, true},
    {"ld.u16 %h1, [%rd9];", reads, true},
    {"ldu.global.u32 %r20, [%rd9];", reads, true},
    {"st.shared.u32 [%r2], %r1;", writes, false, 1},
    {"st.global.v2.u32 [%rd9], {%r1, %r1};", writes, true, 1},
    {"ld.shared::cluster.u32 %r20, [%r2];", reads},
    {"st.shared::cluster.u32 [%r2], %r1;", writes, false, 1},
    {"atom.shared::cluster.add.u32 %r20, [%r2], 1;", reads | writes},
    {"st.bulk.shared::cta [%r2], 64, 0;", writes, false, 1, "", "sm_100a"},
    {"st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%r2], {%r1, %r1, %r1, %r1}, "
     "[%r4];",
     writes, false, 1, kWait},
    {"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64 [%r2], %rd9, "
     "[%r4];",
     writes, false, 1, kOtherHalf},
    {"atom.shared.add.u32 %r20, [%r2], 1;", reads | writes},
    {"atom.shared.cas.b64 %rd3, [%r2], %rd9, %rd8;", reads | writes},
    {"atom.global.exch.b32 %r20, [%rd9], 5;", reads | writes, true},
    {"atom.global.add.v2.f32 {%f1, %f2}, [%rd9], {%f3, %f4};", reads | writes, true},
    {"{ .reg .b128 %w; mov.b128 %w, {%rd9, %rd8}; atom.global.exch.b128 %w, [%rd9], %w; }",
     reads | writes, true, 1},
    {"red.shared.max.s32 [%r2], 1000;", reads | writes},
    {"red.global.add.v4.f32 [%rd9], {%f1, %f2, %f3, %f4};", reads | writes, true},
    {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r20}, [%r2];", reads},
    {"stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r2], {%r1};", writes},
    {"cp.async.ca.shared.global [%r2], [%rd8], 4;", writes, false, 1, kCopied},
    {"cp.async.ca.shared.global [%r3], [%rd9], 4;", reads, true, 1, kCopied},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd8], 16, [%r4];",
     writes, false, 1, kWait},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r3], [%rd9], 16, [%r4];",
     reads, true, 1, kWait},
    {"cp.async.bulk.global.shared::cta.bulk_group [%rd8], [%r2], 16;", reads, false, 1, kGroup},
    {"cp.async.bulk.global.shared::cta.bulk_group [%rd9], [%r3], 16;", writes, true, 1, kGroup},
    {"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r3], [%r2], 16, "
     "[%r4];",
     reads, false, 1, kWait},
    {"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r2], [%r3], 16, "
     "[%r4];",
     writes, false, 1, kWait},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd9], [%r3], 16;",
     reads | writes, true, 1, kGroup},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd8], [%r2], 16;", reads, false,
     1, kGroup},
    {"cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%r2], "
     "[%r3], 16, [%r4];",
     reads | writes, false, 1, kWait},
    {"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r20, %r21, %r22, %r23, %r24, %r25, %r26, "
     "%r27}, [%r2], 16;",
     reads},
    {"wmma.store.d.sync.aligned.row.m16n16k16.global.f16 [%rd9], {%r1, %r1, %r1, %r1}, 16;", writes,
     true},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd4, %rd4, 1, 1, 1, "
     "0, 0;",
     reads, false, 128, "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;"},
    {"mbarrier.init.shared.b64 [%r2], 1;", writes, false, 1},
    {"tensormap.replace.tile.rank.global.b1024.b32 [%rd9], 1;", writes, true, 1},
    {"tensormap.replace.tile.rank.shared::cta.b1024.b32 [%r2], 1;", writes, false, 1},
    {"tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned "
     "[%rd9], [%r3], 128;",
     writes, true},
    {"tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned "
     "[%rd8], [%r2], 128;",
     reads},
    {"clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%r2], "
     "[%r4];",
     writes, false, 1, kWait, "sm_100a"},
    {"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r2], 32;", writes, false, 32,
     "bar.warp.sync -1; ld.shared.u32 %r20, [%r2]; tcgen05.dealloc.cta_group::1.sync.aligned.b32 "
     "%r20, 32;",
     "sm_100a"},
};

enum class Between { nothing, barrier };

Checked tried(const Access& access, bool stores, Between between) {
  const int mine = std::max(32, access.threads);
  const std::string first = std::to_string(mine);
  const std::string place = access.is_global ? ".global.u32 [%rd9]" : ".shared.u32 [%r2]";
  const std::string probe = stores ? "st" + place + ", 77;\n"
                                   : "ld" + place.substr(0, place.find(' ')) + " %r30, " +
                                         place.substr(place.find('[')) + ";\n";
  std::string body =
      "mov.u32 %r1, %tid.x; mov.u32 %r2, tile; add.u32 %r3, %r2, 512; add.u32 %r4, %r2, 1536; "
      "ld.param.u64 %rd9, [out]; add.u64 %rd8, %rd9, 512;\n"
      "setp.eq.u32 %p0, %r1, 0; setp.ge.u32 %p3, %r1, " +
      first +
      "; mad.lo.u32 %r5, %r1, 16, %r2; setp.lt.u32 %p2, %r1, 64;\n"
      "@%p2 st.shared.v4.u32 [%r5], {0, 0, 0, 0}; mad.wide.u32 %rd5, %r1, 16, %rd9; "
      "@%p2 st.global.v4.u32 [%rd5], {0, 0, 0, 0};\n"
      "@%p0 mbarrier.init.shared.b64 [%r4], 1; fence.mbarrier_init.release.cluster; "
      "fence.proxy.async; bar.sync 0;\n@%p0 mbarrier.arrive.expect_tx.shared.b64 %rd3, [%r4], "
      "16;\n"
      "and.b32 %r6, %r2, 0x3ffff; shr.u32 %r6, %r6, 4; cvt.u64.u32 %rd4, %r6;\n";
  if (access.statement.substr(0, 5) == "wgmma") body += "@!%p3 wgmma.fence.sync.aligned;\n";
  // Who is not concerned goes by.
  body += access.threads == 1 ? "@!%p0 bra PAST;\n" : "@%p3 bra PAST;\n";
  body += std::string(access.statement) + "\n" + std::string(access.behind) + "\nPAST:\n";
  if (between == Between::barrier) body += "fence.proxy.async; bar.sync 0;\n";
  body += "setp.eq.u32 %p4, %r1, " + first + "; @%p4 " + probe + "bar.sync 0;\n";
  return check_body(body, mine + 32, 1, false, access.arch);
}

std::string_view opcode_of(const Access& access) {
  std::string_view text = access.statement;
  if (text[0] == '{') text = text.substr(text.rfind("atom"));
  return text.substr(0, text.find('.'));
}

std::set<std::string_view> words(std::string_view text) {
  std::set<std::string_view> all;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    all.insert(text.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

}  // namespace

TEST_CASE("of every opcode it is known what it does to memory") {
  std::set<std::string_view> known = words(kTouchNothing);
  known.merge(words(kNotSeen));
  for (const Access& access : kAccesses) known.insert(opcode_of(access));
  for (const std::string_view opcode : Decoder::opcodes()) {
    CAPTURE(opcode);
    CHECK(known.erase(opcode) == 1);
  }
  CHECK(known.empty());  // there is a rule for each
}

TEST_CASE("each instruction that touches memory races with others, and is named") {
  for (const Access& access : kAccesses) {
    CAPTURE(access.statement);
    const std::string said = "`" + std::string(opcode_of(access)) + ".";
    const Checked stored = tried(access, true, Between::nothing);
    CHECK_MESSAGE(!stored.error, stored.error.message);
    CHECK(stored.kinds() != "");
    CHECK(stored.says(said));
    const Checked loaded = tried(access, false, Between::nothing);
    // What the launch has written it must not read at all.
    const std::string fine = opcode_of(access) == "ldu" ? "non-coherent-read" : "";
    CHECK(((access.does & writes) != 0) == (loaded.kinds() != fine));
    CHECK((loaded.kinds() == fine || loaded.says(said)));
    if (opcode_of(access) == "mbarrier") continue;  // whose memory is its own until it ends
    CHECK(tried(access, true, Between::barrier).kinds() == fine);
    CHECK(tried(access, false, Between::barrier).kinds() == fine);
  }
}

}  // namespace lanescope::emulator::test
