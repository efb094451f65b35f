// SPDX-License-Identifier: MIT
#include "form.hpp"

#include <cctype>
#include <map>

namespace lanescope::golden::scalar {

int bits_of(Kind kind) {
  switch (kind) {
    case Kind::u16:
    case Kind::f16:
    case Kind::bf16:
    case Kind::all16:
      return 16;
    case Kind::u64:
    case Kind::f64:
      return 64;
    case Kind::p:
      return 1;
    default:
      return 32;
  }
}

namespace {

const std::map<std::string, Kind> kKinds = {
    {"u16", Kind::u16},   {"u32", Kind::u32},     {"u64", Kind::u64},       {"f16", Kind::f16},
    {"bf16", Kind::bf16}, {"f16x2", Kind::f16x2}, {"bf16x2", Kind::bf16x2}, {"f32", Kind::f32},
    {"f64", Kind::f64},   {"n32", Kind::n32},     {"p", Kind::p},
};

std::string number(std::size_t n) { return std::to_string(n); }

// A word of the operands becomes a register where it names a kind or a result.
std::string replaced(Form& f, const std::string& word) {
  if (const auto kind = kKinds.find(word); kind != kKinds.end()) {
    f.sources.push_back(kind->second);
    return "%s" + number(f.sources.size() - 1);
  }
  const auto result = [&](int bits) {
    f.results.push_back(bits);
    return "%o" + number(f.results.size() - 1);
  };
  if (word == "P") return result(1);
  if (word == "R16") return result(16);
  if (word == "R32") return result(32);
  if (word == "R64") return result(64);
  if (word == "R128") {
    const std::string low = result(64), high = result(64), name = "%q" + low.substr(2);
    f.after += "mov.b128 {" + low + "," + high + "}," + name + ";\n";
    return name;
  }
  if (word == "u128") {
    const std::string low = replaced(f, "u64"), high = replaced(f, "u64");
    f.before += "mov.b128 %w" + low.substr(2) + ",{" + low + "," + high + "};\n";
    return "%w" + low.substr(2);
  }
  return word;
}

// Replaces the operands of one statement: what follows its opcode. A guard comes before.
std::string statement(Form& f, const std::string& text) {
  std::size_t from = text.find_first_not_of(' ');
  std::string out;
  if (text[from] == '@') {
    const std::size_t end = text.find(' ', from);
    const bool negated = text[from + 1] == '!';
    const std::size_t name = from + (negated ? 2 : 1);
    out = (negated ? "@!" : "@") + replaced(f, text.substr(name, end - name)) + " ";
    from = end + 1;
  }
  const std::size_t operands = text.find(' ', from);
  if (operands == std::string::npos) return out + text.substr(from);
  out += text.substr(from, operands - from);
  for (std::size_t at = operands; at < text.size();) {
    const auto in_word = [&](std::size_t i) {
      return i < text.size() &&
             (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_');
    };
    if (!in_word(at)) {
      out += text[at++];
      continue;
    }
    std::size_t end = at;
    while (in_word(end)) ++end;
    const std::string word = text.substr(at, end - at);
    const char before = text[at - 1];
    out += before == '%' || before == '.' || before == ':' ? word : replaced(f, word);
    at = end;
  }
  return out;
}

}  // namespace

Form parse(const std::string& text) {
  Form f;
  f.text = text;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = text.find(';', at);
    if (end == std::string::npos) end = text.size();
    f.body += statement(f, text.substr(at, end - at)) + ";\n";
    at = end + 1;
  }
  const bool exhaustive = f.sources.size() == 1 && bits_of(f.sources[0]) == 16;
  if (exhaustive) f.sources[0] = Kind::all16;
  f.tuples = exhaustive ? 65536 : 16384;
  return f;
}

Grid grid(const Form& form) { return {8, 2, static_cast<unsigned>(form.tuples / (16 * kThreads))}; }

unsigned char blob_byte(int index) { return static_cast<unsigned char>(index * 37 + 11); }

std::string module_head() {
  std::string table;
  for (int n = 0; n < 256; ++n)
    table += (n == 0 ? "" : ",") + std::to_string(static_cast<unsigned char>(n * 89 + 7));
  return ".version 9.0\n.target sm_90a\n.address_size 64\n.const .align 16 .b8 table[256] = {" +
         table + "};\n.global .align 16 .b8 variable[64];\n";
}

std::string kernel(const Form& f, const std::string& name) {
  const auto uses = [&](const char* what) { return f.body.find(what) != std::string::npos; };
  std::string text = ".visible .entry " + name + "(.param .u64 out, .param .u64 scratch";
  for (int n = 0; n < kMaxSources; ++n)
    text += ", .param .u64 c" + number(static_cast<std::size_t>(n));
  text += ", .param .align 16 .b8 blob[64])\n{\n.reg .b32 %i<16>;\n.reg .b64 %a<8>;\n";
  text += ".reg .b16 %th<8>;\n.reg .b32 %t<8>;\n.reg .b64 %td<8>;\n.reg .pred %tp<8>;\n";
  text += ".reg .b128 %q<4>;\n.reg .b128 %w<8>;\n.reg .b64 %G;\n.reg .b32 %S;\n.reg .b64 %X;\n";
  text += ".reg .b32 %W;\n.reg .b64 %C;\n";
  const auto declare = [&](char letter, std::size_t n, int bits) {
    const std::string type = bits == 1 ? ".pred" : ".b" + std::to_string(bits);
    text += ".reg " + type + " %" + letter + number(n) + ";\n";
  };
  for (std::size_t n = 0; n < f.sources.size(); ++n) declare('s', n, bits_of(f.sources[n]));
  for (std::size_t n = 0; n < f.results.size(); ++n) declare('o', n, f.results[n]);
  if (uses("%S") || uses("%X") || uses("%W")) text += ".shared .align 16 .b8 tile[8448];\n";
  if (uses("depot")) text += ".local .align 16 .b8 depot[64];\n";
  // the thread's number: blocks first, each dimension the next one's size
  text +=
      "mov.u32 %i0,%ctaid.z;\nmov.u32 %i1,%ctaid.y;\nmov.u32 %i2,%ctaid.x;\n"
      "mad.lo.u32 %i0,%i0,2,%i1;\nmad.lo.u32 %i0,%i0,8,%i2;\n"
      "mov.u32 %i3,%tid.z;\nmov.u32 %i4,%tid.y;\nmov.u32 %i5,%tid.x;\n"
      "mad.lo.u32 %i3,%i3,2,%i4;\nmad.lo.u32 %i3,%i3,32,%i5;\n"
      "mad.lo.u32 %i0,%i0,128,%i3;\nmul.wide.u32 %a0,%i0,8;\n";
  for (std::size_t n = 0; n < f.sources.size(); ++n) {
    const int bits = bits_of(f.sources[n]);
    text += "ld.param.u64 %a1,[c" + number(n) + "];\nadd.s64 %a1,%a1,%a0;\n";
    if (bits == 1)
      text += "ld.global.b32 %i6,[%a1];\nsetp.ne.u32 %s" + number(n) + ",%i6,0;\n";
    else
      text += "ld.global.b" + std::to_string(bits) + " %s" + number(n) + ",[%a1];\n";
  }
  if (uses("%G"))
    text += "ld.param.u64 %G,[scratch];\nmul.wide.u32 %a2,%i0,64;\nadd.s64 %G,%G,%a2;\n";
  if (uses("%S") || uses("%X")) text += "mov.u32 %S,tile;\nmad.lo.u32 %S,%i3,64,%S;\n";
  if (uses("%X")) text += "cvt.u64.u32 %X,%S;\ncvta.shared.u64 %X,%X;\n";
  if (uses("%W"))
    text += "shr.u32 %i7,%i3,5;\nmov.u32 %W,tile;\nmad.lo.u32 %W,%i7,64,%W;\nadd.u32 %W,%W,8192;\n";
  if (uses("%C"))
    text += "and.b32 %i8,%i0,31;\nmul.wide.u32 %a3,%i8,8;\nmov.u64 %C,table;\nadd.s64 %C,%C,%a3;\n";
  if (uses("@"))  // what a guard leaves out
    for (std::size_t n = 0; n < f.results.size(); ++n)
      text += f.results[n] == 1
                  ? "setp.ne.u32 %o" + number(n) + ",%i0,%i0;\n"
                  : "mov.b" + std::to_string(f.results[n]) + " %o" + number(n) + ",0x5a5a;\n";
  text += f.before + f.body + f.after + "ld.param.u64 %a4,[out];\nadd.s64 %a4,%a4,%a0;\n";
  for (std::size_t n = 0; n < f.results.size(); ++n) {
    const std::string place = "[%a4+" + number(n * 8 * static_cast<std::size_t>(f.tuples)) + "]";
    if (f.results[n] == 1)
      text += "selp.u32 %i9,1,0,%o" + number(n) + ";\nst.global.u32 " + place + ",%i9;\n";
    else
      text +=
          "st.global.b" + std::to_string(f.results[n]) + " " + place + ",%o" + number(n) + ";\n";
  }
  return text + "ret;\n}\n";
}

}  // namespace lanescope::golden::scalar
