// SPDX-License-Identifier: MIT
#include "builder.hpp"

namespace lanescope::golden::random {
namespace {

using scalar::bits_of;
using scalar::Kind;

// Opcodes that take a number in place of any one source.
bool takes_numbers(const std::string& line) {
  const std::string opcode = line.substr(0, line.find_first_of(". "));
  for (const char* name : {"add", "sub", "mul", "mad", "and", "or", "xor", "min", "max", "setp",
                           "fma", "shf", "prmt", "bfe", "bfi", "lop3", "slct"})
    if (opcode == name)
      return line.find(';') == std::string::npos && line.find("x2 ") == std::string::npos;
  return false;
}

// Where a guard stays away (docs/experiments/ptxas_mistakes.md). Behind one, ptxas 13.0 makes wrong
// what becomes several instructions: the results of `set` and `testp` are converted, sums of video
// instructions added up, and the second result of a comparison written where the guard is false,
// too. And it makes abs and neg of numbers a change of the sign's bit, which quiets no NaN.
bool takes_guards(const std::string& line, std::size_t results) {
  const std::string opcode = line.substr(0, line.find('.'));
  if (results > 1 || opcode == "set" || opcode == "testp") return false;
  if (opcode == "abs" || opcode == "neg") return line.find('f', 4) == std::string::npos;
  return opcode[0] != 'v' || opcode == "vote";
}

// Where ptxas 13.0 takes a register that an instruction of floating point wrote for a number and
// rounds it to a whole one, if there is no mov between (docs/experiments/ptxas_mistakes.md): as a
// count of 64-bit shifts, and in stores of 8 and 16 bits.
bool rounds_numbers(const std::string& line) {
  for (const char* shift : {"shl.b64", "shr.b64", "shr.u64", "shr.s64"})
    if (line.rfind(shift, 0) == 0) return true;
  for (std::size_t at = 0; at < line.size(); at = line.find("; ", at) + 2) {
    const std::string opcode = line.substr(at, line.find(' ', at) - at);
    const std::string type = opcode.substr(opcode.rfind('.') + 1);
    if (opcode.rfind("st.", 0) == 0 && (type.substr(1) == "8" || type.substr(1) == "16"))
      return true;
    if (line.find("; ", at) == std::string::npos) break;
  }
  return false;
}

// The least of a register and itself: ptxas makes it a mov, which quiets no NaN.
bool is_choice(const std::string& line) {
  return line.rfind("min.", 0) == 0 || line.rfind("max.", 0) == 0;
}

// Of two NaNs of 64 bits the hardware gives the one in a certain place, and which operand is there
// is ptxas' choice.
bool chooses_nan(const std::string& line) {
  if (line.find(".f64 R64,f64,f64") == std::string::npos) return false;
  for (const char* name : {"add.", "sub.", "mul.", "fma.", "mad.", "min.", "max."})
    if (line.rfind(name, 0) == 0) return true;
  return false;
}

std::string literal(Random& random, Kind kind) {
  static const std::vector<std::uint32_t> kWhole = {
      0,  1,   2,   3,     7,     8,          15,         16,         31,         32,        33,
      63, 255, 256, 65535, 65536, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 0x55555555};
  static const std::vector<std::uint32_t> kFloat = {0,          0x80000000, 0x3f800000, 0xbf800000,
                                                    0x3f000000, 0x40490fdb, 0x00800000, 0x00000001,
                                                    0x7f7fffff, 0x7f800000, 0x4b000001, 0x33800000};
  static const std::vector<std::uint64_t> kDouble = {0,
                                                     0x8000000000000000,
                                                     0x3ff0000000000000,
                                                     0xbff0000000000000,
                                                     0x3fe0000000000001,
                                                     0x0010000000000000,
                                                     1,
                                                     0x7fefffffffffffff,
                                                     0x4330000000000001,
                                                     0x3ca0000000000000};
  switch (kind) {
    case Kind::u32:
    case Kind::n32: {
      const std::uint32_t word =
          random.one_in(3) ? static_cast<std::uint32_t>(random.next()) : random.of(kWhole);
      return fmt::format("{}", static_cast<std::int32_t>(word));
    }
    case Kind::u64: {
      const std::uint64_t word = random.one_in(3) ? random.next() : random.of(kWhole);
      return fmt::format("{}", static_cast<std::int64_t>(word));
    }
    case Kind::u16:
      return fmt::format("{}", static_cast<std::int16_t>(random.next()));
    case Kind::f32:
      return fmt::format("0f{:08x}", random.of(kFloat));
    case Kind::f64:
      return fmt::format("0d{:016x}", random.of(kDouble));
    default:
      return "";
  }
}

std::string filled(const std::string& body, const std::vector<std::string>& sources,
                   const std::vector<std::string>& targets) {
  std::string out;
  for (std::size_t at = 0; at < body.size(); ++at) {
    const bool is_operand = body[at] == '%' && at + 2 < body.size() &&
                            (body[at + 1] == 's' || body[at + 1] == 'o') && body[at + 2] >= '0' &&
                            body[at + 2] <= '9';
    if (!is_operand) {
      out += body[at];
      continue;
    }
    const std::size_t index = static_cast<std::size_t>(body[at + 2] - '0');
    out += body[at + 1] == 's' ? sources.at(index) : targets.at(index);
    at += 2;
  }
  return out;
}

}  // namespace

std::string Builder::source(int bits) {
  return bits == 1 ? predicate() : bits == 16 ? r16() : bits == 64 ? r64() : r32();
}

std::vector<std::string> Builder::targets(int bits, int count) {
  std::vector<std::string> names;
  while (static_cast<int>(names.size()) < count) {
    const std::string name = source(bits);
    bool is_new = true;
    for (const std::string& other : names) is_new = is_new && other != name;
    if (is_new) names.push_back(name);
  }
  return names;
}

// D's own registers, or none of them: where an instruction is several of the card's, ptxas 13.0
// lets the first write over C for the others if D has C's registers in other places
// (docs/experiments/ptxas_mistakes.md).
std::vector<std::string> Builder::addends(int bits, const std::vector<std::string>& targets,
                                          int count) {
  if (static_cast<int>(targets.size()) == count && random.one_in(3)) return targets;
  std::vector<std::string> names;
  while (static_cast<int>(names.size()) < count) {
    const std::string name = source(bits);
    bool is_free = true;
    for (const std::string& target : targets) is_free = is_free && target != name;
    if (is_free) names.push_back(name);
  }
  return names;
}

// A recorded form with registers of the pools, perhaps with a number or a guard.
Node Builder::form(const std::string& line, const std::string& mask) {
  const scalar::Form parsed = scalar::parse(line);
  std::vector<std::string> sources, results;
  for (const Kind kind : parsed.sources) {
    std::string name = source(bits_of(kind));
    while (is_choice(line) && !sources.empty() && sources.back() == name)
      name = source(bits_of(kind));
    sources.push_back(name);
  }
  for (const int bits : parsed.results) {
    std::string name = source(bits);
    for (std::size_t n = 0; n < results.size(); ++n)
      if (results[n] == name) name = source(bits), n = static_cast<std::size_t>(-1);
    results.push_back(name);
  }
  std::string before;
  if (!sources.empty() && takes_numbers(line) && random.one_in(5)) {
    const std::size_t place =
        static_cast<std::size_t>(random.below(static_cast<int>(sources.size())));
    std::string number = literal(random, parsed.sources[place]);
    if (line.rfind("bf", 0) == 0 && parsed.sources[place] == Kind::n32)  // ptxas looks
      number = fmt::format("{}", random.below(256));
    // a product with -1 is made a change of sign, which quiets no NaN
    if (line.rfind("mul.", 0) == 0 && number == "0fbf800000") number = "0fc0000000";
    if (!number.empty()) sources[place] = number;
  } else if (sources.size() == 2 && (line.rfind("div.u", 0) == 0 || line.rfind("div.s", 0) == 0 ||
                                     line.rfind("rem.", 0) == 0)) {
    const int bits = bits_of(parsed.sources[1]);
    const std::string odd = bits == 64 ? "%td7" : bits == 16 ? "%th7" : "%t7";
    before = fmt::format("or.b{} {},{},1;\n", bits, odd, sources[1]);
    sources[1] = odd;
  }
  if (rounds_numbers(line)) {
    for (std::size_t n = 0; n < sources.size(); ++n) {
      const int bits = bits_of(parsed.sources[n]);
      if (sources[n][0] != '%') continue;
      const std::string moved = fmt::format("%t{}{}",
                                            bits == 64   ? "d"
                                            : bits == 16 ? "h"
                                                         : "",
                                            7 - n);
      before += fmt::format("mov.b{} {},{};\n", bits, moved, sources[n]);
      sources[n] = moved;
    }
  }
  std::string body = filled(parsed.before + parsed.body + parsed.after, sources, results);
  if (!mask.empty()) {
    for (std::size_t at = 0; (at = body.find(",-1;", at)) != std::string::npos; ++at)
      body.replace(at, 3, "," + mask);
  } else if (line.find(';') == std::string::npos && line[0] != '@' && parsed.before.empty() &&
             parsed.after.empty() && takes_guards(line, results.size()) && random.one_in(6)) {
    const bool negated = random.one_in(2);
    body = fmt::format("@{}{} {}", negated ? "!" : "", predicate(), body);
  }
  if (chooses_nan(line))
    body += fmt::format("testp.notanumber.f64 %tp4,{0};\n@%tp4 mov.b64 {0},{1};\n", results[0],
                        0x7ff8000000000000);
  return node(before + body);
}

std::vector<Node> Builder::block(Scope& scope, int count) {
  std::vector<Node> nodes;
  for (int n = 0; n < count; ++n) nodes.push_back(statement(scope));
  return nodes;
}

Node Builder::statement(Scope& scope) {
  const int chance = random.below(100);
  if (scope.is_kernel && chance < 18 && scope.depth < 4) {
    const int which = random.below(18);
    if (which < 6) return branch(*this, scope);
    if (which < 10 && scope.loops < 2) return loop(*this, scope);
    if (which < 12) return jump_table(*this, scope);
    if (which < 14 && !scope.next.empty()) return jump_on(*this, scope);
    if (which < 17 && program.functions.size() > 0)
      return random.one_in(3) ? call_through_pointer(*this) : call(*this);
    if (which == 17 && scope.depth > 0 && scope.loops == 0 && random.one_in(3))
      return leave(*this, scope);
  }
  if (scope.whole_cluster && !left && random.one_in(8)) {
    const int which = random.below(3);
    return which == 0   ? cluster_exchange(*this)
           : which == 1 ? cluster_cell(*this)
                        : cluster_send(*this);
  }
  if (scope.whole_cta && !left && chance < 30) {
    switch (random.below(13)) {
      case 10:
        return tickets(*this);
      case 11:
      case 12:
        if (program.threads == 128) return group_multiply(*this);
        if (whole_warps()) return matrix(*this);
        break;
      case 0:
      case 1:
        return exchange(*this);
      case 2:
        return counted_barrier(*this);
      case 3:
      case 4:
        return cell(*this);
      case 5:
        return mbarrier_exchange(*this);
      case 6:
        return bulk_copy(*this);
      case 7:
      case 8:
        if (whole_warps()) return matrix(*this);
        break;
      default:
        if (whole_warps()) return transposed(*this);
    }
  }
  if (!scope.mask.empty() && chance < 40) {
    if (scope.mask == "-1" && random.one_in(4))
      return random.one_in(4) ? fragments(*this, scope) : warp_tile(*this, scope);
    if (random.one_in(5)) return shuffle_of_members(*this, scope);
    const std::string& line = forms.collective.draw(random);
    // a lane that is not there has no value to give
    if (scope.mask == "-1" || line.rfind("shfl", 0) != 0) return form(line, scope.mask);
  }
  if (program.is_open && chance < 60) return form(forms.open.draw(random), "");
  if (chance < 43) return carry_chain(*this);
  if (scope.is_kernel && chance < 44) return nothing(*this);
  if (scope.is_kernel && chance < 48) return reload(*this);
  if (scope.is_kernel && chance < 50) return indexed_local(*this);
  if (scope.is_kernel && chance < 52)
    return random.one_in(3) ? bulk_reduce(*this) : async_copy(*this);
  if (scope.is_kernel && chance < 62) return form(forms.memory.draw(random), "");
  return form(forms.plain.draw(random), "");
}

}  // namespace lanescope::golden::random
