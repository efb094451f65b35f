// SPDX-License-Identifier: MIT
// wgmma: a warpgroup fills 8 KB of shared memory with what its registers hold and multiplies it by
// itself, through descriptors with any strides and swizzle that stay inside.
#include <cstdlib>

#include "builder.hpp"

namespace lanescope::golden::random {
namespace {

constexpr int kOperands = 12288;

// What a descriptor says beside the address: strides of 128 to 512 bytes, how bytes are mixed.
struct Descriptor {
  std::uint64_t fields = 0;
  int offset_bytes = 0;
};

// A row of K must not leave its row of the pattern: wgmma.sp has 64 bytes of it in B.
Descriptor descriptor(Random& random, bool wide) {
  Descriptor d;
  const std::uint64_t leading = static_cast<std::uint64_t>(8 * (1 + random.below(4)));
  const std::uint64_t stride = static_cast<std::uint64_t>(8 * (1 + random.below(4)));
  const int mode = random.below(4);  // none, 128, 64, 32 bytes
  d.fields = leading << 16 | stride << 32 | static_cast<std::uint64_t>(mode) << 62;
  if (mode == 0) d.offset_bytes = 16 * random.below(32);
  if (mode == 1) d.offset_bytes = 32 * random.below(3);
  if (mode == 2) d.offset_bytes = wide ? 0 : 32 * random.below(2);
  return d;
}

std::string made(const Descriptor& d, const char* target) {
  return fmt::format(
      // in a cluster there is more in the address: which CTA it is of
      "add.u32 %t7,%t6,{};\nbfe.u32 %t7,%t7,4,14;\ncvt.u64.u32 {},%t7;\nor.b64 {},{},{};\n",
      d.offset_bytes, target, target, target, static_cast<std::int64_t>(d.fields));
}

std::string list(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "{" : ",") + name;
  return text + "}";
}

}  // namespace

Node group_multiply(Builder& b) {
  const std::string& name = b.random.of(b.forms.group);
  const bool sparse = name.find("async.sp") != std::string::npos;
  const std::size_t n_at = name.find(".m64n");
  const int N = std::atoi(name.c_str() + n_at + 5);
  const std::string types = name.substr(name.find('.', n_at + 5) + 1);
  const bool half = types.rfind("f16", 0) == 0, real = types[0] == 'f';
  const bool sixteen =
      types.find(".f16") != std::string::npos || types.find(".bf16") != std::string::npos;
  const std::vector<std::string> D = b.targets(32, N / (half ? 4 : 2));
  const Descriptor one = descriptor(b.random, false), two = descriptor(b.random, sparse);
  std::string text = "bar.sync 0;\nmov.u32 %t6,tile;\n";
  text += fmt::format("add.u32 %t6,%t6,{};\nmad.lo.u32 %t7,%i0,64,%t6;\n", kOperands);
  for (int at = 0; at < 64; at += 16)
    text += fmt::format("st.shared.v4.b32 [%t7+{}],{};\n", at, list(b.targets(32, 4)));
  text += "fence.proxy.async;\nbar.sync 0;\n" + made(one, "%td6") + made(two, "%td7");
  std::string e;
  if (sparse) {  // legal choices only: of one in two, and of two in four
    static const std::vector<int> kPairs = {4, 8, 12, 9, 13, 14}, kOnes = {4, 14};
    std::uint32_t choice = 0;
    for (int n = 0; n < 8; ++n)
      choice = choice << 4 | static_cast<std::uint32_t>(b.random.of(
                                 types.find("tf32") != std::string::npos ? kOnes : kPairs));
    text += fmt::format("mov.b32 %t5,{};\n", choice);
    const bool bytes = !sixteen && types.find("tf32") == std::string::npos;
    e = fmt::format(",%t5,{}", b.random.below(bytes ? 1 : 2));
  }
  std::string A;
  const bool from_registers = b.random.one_in(3) && D.size() < 9;
  for (int n = 0; from_registers && n < 4;) {  // none that the product is written to
    const std::string source = b.r32();
    bool is_free = true;
    for (const std::string& target : D) is_free = is_free && target != source;
    if (is_free) A += (n++ == 0 ? "{" : ",") + source;
  }
  const int times = 1 + b.random.below(3);
  text += "wgmma.fence.sync.aligned;\n";
  for (int n = 0; n < times; ++n) {
    const int keeps = b.random.below(4) != 0;
    text += fmt::format("setp.ne.u32 %tp6,{},0;\n{} {},{},%td7{},%tp6", keeps, name, list(D),
                        A.empty() ? "%td6" : A + "}", e);
    if (real) {
      const int sign_a = b.random.one_in(4) ? -1 : 1, sign_b = b.random.one_in(4) ? -1 : 1;
      text += fmt::format(",{},{}", sign_a, sign_b);
    }
    if (sixteen) {
      const int ta = b.random.below(2), tb = b.random.below(2);
      text += A.empty() ? fmt::format(",{},{}", ta, tb) : fmt::format(",{}", tb);
    }
    text += ";\n";
  }
  return b.node(text + "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n");
}

}  // namespace lanescope::golden::random
