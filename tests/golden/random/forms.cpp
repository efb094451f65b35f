// SPDX-License-Identifier: MIT
#include "forms.hpp"

#include <cstdlib>
#include <map>

namespace lanescope::golden::random {
namespace {

bool has(const std::string& line, std::string_view what) {
  return line.find(what) != std::string::npos;
}
bool starts(const std::string& line, std::string_view what) { return line.rfind(what, 0) == 0; }

// What cannot stand anywhere, or does not say one thing only: barriers and memory of a warp's own,
// which have statements of their own, and sizes of shared memory.
bool is_left_out(const std::string& line) {
  for (const std::string_view what :
       {"%W", "bar.", "barrier.", "activemask", "_smem_", "%nsmid", "0xffff", "elect.sync %t0",
        "getctarank", "mapa.", "exit", "trap", "%tid", "%ntid", "%cta", "%nctaid", "cluster"})
    if (has(line, what)) return true;
  return false;
}

// What ptxas 13.0 makes right alone and wrong in functions of several blocks
// (docs/experiments/ptxas_mistakes.md): of two conversions it forgets one, and it moves readers of
// the second result of a packed comparison behind it.
bool is_made_wrong(const std::string& line) {
  const std::string opcode = line.substr(0, line.find(' '));
  if (starts(line, "setp.")) return has(opcode, "x2");
  if (has(line, ".add.f64 ") && (has(line, "%S") || has(line, "%X"))) return true;  // which NaN
  if (starts(line, "abs.s16")) return true;  // of -32768 is 32768 to what follows
  const std::size_t last = opcode.rfind('.');
  const std::size_t before = last == std::string::npos ? last : opcode.rfind('.', last - 1);
  if (before == std::string::npos) return false;
  const std::string from = opcode.substr(last + 1),
                    to = opcode.substr(before + 1, last - before - 1);
  if (starts(line, "set.")) return to == "f32" || to == "f16" || to == "bf16";
  const bool small = to == "s8" || to == "u8" || to == "s16" || to == "u16";
  return starts(line, "cvt.") && has(opcode, ".sat") && small && has(from, "f");
}

// Products and sums whose rounding is left open: ptxas may make one fma of two
// (docs/experiments/contraction.md). Here they are a family's members only where asked for.
bool is_open(const std::string& line) {
  if (!starts(line, "add.") && !starts(line, "sub.") && !starts(line, "mul.")) return false;
  const std::string opcode = line.substr(0, line.find(' '));
  if (!has(opcode, ".f") && !has(opcode, ".bf")) return false;
  for (const std::string_view rounding : {".rn", ".rz", ".rm", ".rp"})
    if (has(opcode, rounding)) return false;
  return true;
}

bool uses_memory(const std::string& line) {
  for (const std::string_view what : {"%G", "%S", "%X", "%C", "depot", "blob", "variable", "table"})
    if (has(line, what)) return true;
  return false;
}

int weight_of(const std::string& opcode) {
  static const std::map<std::string, int> kWeights = {
      {"cvt", 12},  {"st", 24},   {"ld", 8},   {"set", 4},   {"setp", 12}, {"mov", 6},
      {"add", 8},   {"sub", 6},   {"mul", 6},  {"mad", 6},   {"fma", 6},   {"min", 4},
      {"max", 4},   {"lop3", 4},  {"prmt", 4}, {"shl", 4},   {"shr", 4},   {"shf", 4},
      {"selp", 4},  {"bfe", 4},   {"bfi", 4},  {"shfl", 12}, {"vote", 6},  {"match", 3},
      {"redux", 5}, {"elect", 1}, {"slct", 3}, {"div", 3},   {"ex2", 2},   {"and", 3}};
  const auto found = kWeights.find(opcode);
  return found != kWeights.end() ? found->second : 1;
}

void put(Family& family, const std::string& line) {
  std::string opcode = line.substr(0, line.find_first_of(". "));
  if (starts(opcode, "@")) opcode = "guarded";
  for (Opcode& known : family.opcodes)
    if (known.name == opcode) return known.lines.push_back(line);
  family.opcodes.push_back({opcode, weight_of(opcode), {line}});
  family.weight += weight_of(opcode);
}

}  // namespace

const std::string& Family::draw(Random& random) const {
  int at = random.below(weight);
  for (const Opcode& opcode : opcodes)
    if ((at -= opcode.weight) < 0) return random.of(opcode.lines);
  return opcodes.front().lines.front();
}

Forms sort_forms(const std::vector<std::string>& lines) {
  Forms forms;
  for (const std::string& line : lines) {
    if (starts(line, "wgmma")) {
      const int N = std::atoi(line.c_str() + line.find(".m64n") + 5);
      if (N <= (has(line, ".f16.f16") && !has(line, "f32.") ? 40 : 16)) forms.group.push_back(line);
    } else if (starts(line, "mma"))
      forms.matrix.push_back(line);
    else if (is_left_out(line) || is_made_wrong(line))
      continue;
    else if (is_open(line))
      put(forms.open, line);
    else if (has(line, ".sync") && line.substr(line.size() - 3) == ",-1")
      put(forms.collective, line);
    else
      put(uses_memory(line) ? forms.memory : forms.plain, line);
  }
  for (const char* line : {"ex2.approx.f32 R32,f32",         "ex2.approx.ftz.f32 R32,f32",
                           "lg2.approx.f32 R32,f32",         "lg2.approx.ftz.f32 R32,f32",
                           "rcp.approx.f32 R32,f32",         "rcp.approx.ftz.f32 R32,f32",
                           "rsqrt.approx.f32 R32,f32",       "rsqrt.approx.ftz.f32 R32,f32",
                           "sqrt.approx.f32 R32,f32",        "sqrt.approx.ftz.f32 R32,f32",
                           "sin.approx.f32 R32,f32",         "sin.approx.ftz.f32 R32,f32",
                           "cos.approx.f32 R32,f32",         "cos.approx.ftz.f32 R32,f32",
                           "tanh.approx.f32 R32,f32",        "div.approx.f32 R32,f32,f32",
                           "div.approx.ftz.f32 R32,f32,f32", "div.full.f32 R32,f32,f32",
                           "div.full.ftz.f32 R32,f32,f32",   "ex2.approx.f16 R16,f16",
                           "tanh.approx.f16 R16,f16",        "ex2.approx.ftz.bf16 R16,bf16",
                           "tanh.approx.bf16 R16,bf16",      "ex2.approx.f16x2 R32,f16x2",
                           "tanh.approx.f16x2 R32,f16x2",    "ex2.approx.ftz.bf16x2 R32,bf16x2",
                           "tanh.approx.bf16x2 R32,bf16x2",  "rcp.approx.ftz.f64 R64,f64",
                           "rsqrt.approx.f64 R64,f64",       "rsqrt.approx.ftz.f64 R64,f64"})
    put(forms.plain, line);
  return forms;
}

}  // namespace lanescope::golden::random
