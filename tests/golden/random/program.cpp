// SPDX-License-Identifier: MIT
#include "program.hpp"

#include <fmt/format.h>

#include "builder.hpp"
#include "tests/golden/scalar/operands.hpp"

namespace lanescope::golden::random {
namespace {

constexpr int kWarpTiles = 8192, kExchange = 10240, kSharedBytes = 20480, kMasks = 256,
              kCounters = 64;

std::string declarations() {
  return fmt::format(
      ".reg .b32 %r<{}>;\n.reg .b64 %d<{}>;\n.reg .b16 %h<{}>;\n.reg .pred %p<{}>;\n"
      ".reg .b32 %t<8>;\n.reg .b64 %td<8>;\n.reg .b16 %th<8>;\n.reg .pred %tp<8>;\n.reg .b32 "
      "%f<24>;\n.reg .b128 %q<4>;\n.reg .b128 %w<8>;\n"
      ".reg .b32 %m<{}>;\n.reg .b32 %c<{}>;\n.reg .b32 %i<4>;\n.reg .b64 %a<4>;\n"
      ".reg .b64 %G;\n.reg .b32 %S;\n.reg .b64 %X;\n.reg .b64 %C;\n.reg .b64 %I;\n.reg .b64 "
      "%K;\n.reg .b32 %E;\n.reg .b32 %W;\n.reg .b32 %V;\n.reg .b32 %J;\n",
      kRegisters32, kRegisters64, kRegisters16, kPredicates, kMasks, kCounters);
}

// Where a thread is, and where its memory is.
std::string places(const Program& p) {
  std::string text = fmt::format(
      "mov.u32 %i0,%tid.x;\nmov.u32 %J,%ctaid.x;\nmad.lo.u32 %i1,%J,{},%i0;\n"
      "ld.param.u64 %I,[in];\nld.param.u64 %G,[own];\nmad.wide.u32 %G,%i1,{},%G;\n"
      "ld.param.u64 %K,[cells];\nmad.wide.u32 %K,%J,{},%K;\n",
      p.threads, kOwnBytes, kCellBytes);
  text += fmt::format(
      "mov.u32 %S,tile;\nshr.u32 %i2,%i0,5;\nmad.lo.u32 %V,%i2,512,%S;\nadd.u32 %V,%V,{};\nand.b32 "
      "%i2,%i0,31;\nmad.lo.u32 %W,%i2,16,%V;\n"
      "mad.lo.u32 %E,%i0,8,%S;\nadd.u32 %E,%E,{};\nmad.lo.u32 %S,%i0,{},%S;\ncvt.u64.u32 "
      "%X,%S;\ncvta.shared.u64 %X,%X;\n"
      "mul.wide.u32 %a0,%i2,8;\nmov.u64 %C,table;\nadd.s64 %C,%C,%a0;\n",
      kWarpTiles, kExchange, kOwnBytes);
  return text;
}

// Every register gets a word of the input, all memory of a thread's own some of them.
std::string first_values(Random& random) {
  std::string text = "mul.lo.u32 %i2,%i1,29;\nand.b32 %i2,%i2,2047;\nmad.wide.u32 %a0,%i2,8,%I;\n";
  for (int n = 0; n < kRegisters32; ++n) {
    const int at = random.below(2048) * 8;
    text += fmt::format("ld.global.b32 %r{},[%a0+{}];\n", n, at + 4 * random.below(2));
  }
  for (int n = 0; n < kRegisters64; ++n)
    text += fmt::format("ld.global.b64 %d{},[%a0+{}];\n", n, 32768 + random.below(2048) * 8);
  for (int n = 0; n < kRegisters16; ++n)
    text += fmt::format("ld.global.b16 %h{},[%a0+{}];\n", n, 65536 + random.below(2048) * 8);
  for (int n = 0; n < kPredicates; ++n)
    text += fmt::format("and.b32 %t0,%r{},{};\nsetp.eq.u32 %p{},%t0,0;\n", n + 2,
                        1 + random.below(7), n);
  for (const char* where : {"shared.v2.b64 [%S", "global.v2.b64 [%G", "local.v2.b64 [depot"})
    for (int n = 0; n < kOwnBytes; n += 16) {
      const int one = random.below(kRegisters64), two = random.below(kRegisters64);
      text += fmt::format("st.{}+{}],{{%d{},%d{}}};\n", where, n, one, two);
    }
  text += "st.shared.b64 [%E],%d0;\n";
  return text;
}

// All registers and all memory of the thread's own.
std::string last_values(const Program& p) {
  std::string text = fmt::format(
      "{}_done:\nld.param.u64 %a1,[out];\nmad.wide.u32 %a1,%i1,{},%a1;\n", p.name, kWordsOut * 8);
  int word = 0;
  for (int n = 0; n < kRegisters32; ++n)
    text += fmt::format("cvt.u64.u32 %a2,%r{};\nst.global.b64 [%a1+{}],%a2;\n", n, 8 * word++);
  for (int n = 0; n < kRegisters64; ++n)
    text += fmt::format("st.global.b64 [%a1+{}],%d{};\n", 8 * word++, n);
  for (int n = 0; n < kRegisters16; ++n)
    text += fmt::format("cvt.u64.u16 %a2,%h{};\nst.global.b64 [%a1+{}],%a2;\n", n, 8 * word++);
  for (int n = 0; n < kPredicates; ++n)
    text += fmt::format("selp.u64 %a2,1,0,%p{};\nst.global.b64 [%a1+{}],%a2;\n", n, 8 * word++);
  for (const char* where : {"shared.b64 %a2,[%S", "global.b64 %a2,[%G", "local.b64 %a2,[depot"})
    for (int n = 0; n < kOwnBytes; n += 8)
      text += fmt::format("ld.{}+{}];\nst.global.b64 [%a1+{}],%a2;\n", where, n, 8 * word++);
  text += fmt::format("ld.shared.b64 %a2,[%E];\nst.global.b64 [%a1+{}],%a2;\n", 8 * word++);
  return text + "ret;\n}\n";
}

// In a function every register follows from the parameters.
std::string function_values() {
  std::string text =
      "ld.param.b32 %r0,[one];\nld.param.b64 %d0,[two];\nld.param.v2.b64 "
      "{%d1,%d2},[many];\nld.param.b32 %r1,[many+4];\n";
  for (int n = 2; n < kRegisters32; ++n)
    text += fmt::format("mad.lo.u32 %r{},%r{},{},%r{};\n", n, n - 1, 2 * n + 1, n - 2);
  for (int n = 3; n < kRegisters64; ++n)
    text += fmt::format("xor.b64 %d{},%d{},%d{};\n", n, n - 1, n - 3);
  for (int n = 0; n < kRegisters16; ++n) text += fmt::format("cvt.u16.u32 %h{},%r{};\n", n, n + 1);
  for (int n = 0; n < kPredicates; ++n)
    text += fmt::format("setp.lt.s32 %p{},%r{},%r{};\n", n, n, n + 1);
  return text;
}

void print(const std::vector<Node>& nodes, const std::set<int>& without, std::string& text) {
  for (const Node& node : nodes) {
    if (without.count(node.number) > 0) continue;
    for (const Part& part : node.parts) {
      text += part.text;
      print(part.block, without, text);
    }
  }
}

}  // namespace

Program make_program(const Forms& forms, std::uint64_t seed) {
  Random random(seed);
  Program program;
  program.name = fmt::format("p{}", seed);
  program.threads = 32 * (1 + random.below(4));
  if (random.one_in(6)) program.threads -= 1 + random.below(31);
  program.blocks = 1 + random.below(kMaxBlocks);
  program.is_cluster = program.blocks == 2 && random.one_in(3);
  program.is_open = seed >= kOpenSeeds;
  Builder builder(forms, random, program);
  for (int n = random.below(3); n > 0; --n) add_function(builder);
  Function kernel;
  kernel.head = fmt::format(
      ".visible .entry {}(.param .u64 out,.param .u64 own,.param .u64 cells,.param .u64 in,.param "
      ".align 16 .b8 blob[64])\n{}{{\n"
      ".shared .align 1024 .b8 tile[{}];\n.local .align 16 .b8 depot[{}];\n",
      program.name, program.is_cluster ? ".explicitcluster\n.reqnctapercluster 2,1,1\n" : "",
      kSharedBytes, kOwnBytes);
  Scope scope;
  scope.is_kernel = scope.whole_cta = true;
  scope.whole_cluster = program.is_cluster;
  std::string first = places(program) + first_values(random);
  if (builder.whole_warps()) {
    scope.mask = "-1";
  } else {  // the last warp is not whole
    scope.mask = "%m0";
    first += fmt::format("mov.b32 %m0,-1;\nsetp.ge.u32 %tp7,%i0,{};\n@%tp7 mov.b32 %m0,{};\n",
                         program.threads / 32 * 32, (1u << (program.threads % 32)) - 1);
  }
  const int length = 8 + random.below(24);
  kernel.body = builder.block(scope, length);
  kernel.head += declarations() + first;
  kernel.tail = last_values(program);
  for (Function& function : program.functions) function.head += declarations() + function_values();
  program.functions.push_back(std::move(kernel));
  return program;
}

std::string module_head() {
  std::string table;
  for (int n = 0; n < 256; ++n)
    table += (n == 0 ? "" : ",") + std::to_string(static_cast<unsigned char>(n * 89 + 7));
  return ".version 9.0\n.target sm_90a\n.address_size 64\n.const .align 16 .b8 table[256] = {" +
         table + "};\n.global .align 16 .b8 variable[64];\n";
}

std::string print(const Program& program, const std::set<int>& without) {
  std::string text;
  for (const Function& function : program.functions) {
    text += function.head;
    print(function.body, without, text);
    text += function.tail;
  }
  return text;
}

std::vector<std::uint64_t> input_words() {
  using scalar::Kind;
  static const std::vector<Kind> k32 = {Kind::u32,    Kind::f32, Kind::f32, Kind::f16x2,
                                        Kind::bf16x2, Kind::n32, Kind::u32};
  static const std::vector<Kind> k64 = {Kind::u64, Kind::f64, Kind::f64};
  static const std::vector<Kind> k16 = {Kind::u16, Kind::f16, Kind::bf16};
  std::vector<std::uint64_t> words;
  Random random(1);
  for (const std::vector<Kind>& kinds : {k32, k64, k16}) {
    std::vector<std::vector<std::uint64_t>> columns;
    for (const Kind kind : kinds) columns.push_back(scalar::column(kind, 1));
    for (int n = 0; n < kInputWords / 3; ++n) {
      const std::vector<std::uint64_t>& low = random.of(columns);
      const std::uint64_t word = random.of(low);
      const std::vector<std::uint64_t>& high = random.of(columns);
      const std::uint64_t more = random.of(high);
      words.push_back(kinds[0] == Kind::u64 ? word : (word & 0xffffffff) | more << 32);
    }
  }
  return words;
}

}  // namespace lanescope::golden::random
