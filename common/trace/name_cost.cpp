// SPDX-License-Identifier: MIT
// See name_cost.hpp. A function a rule of the grammar, named as there.
#include "trace/name_cost.hpp"

#include <algorithm>
#include <initializer_list>
#include <vector>

namespace lanescope::trace {
namespace {

constexpr int kDeepest = 400;  // rules within rules

std::uint64_t capped(std::uint64_t a, std::uint64_t times, std::uint64_t more) {
  if (a >= kCostUnknown || more >= kCostUnknown) return kCostUnknown;
  if (times != 0 && a > kCostUnknown / times) return kCostUnknown;
  return std::min(a * times + more, kCostUnknown);
}

// What a part costs: `own`, and `params` times what a template parameter (T_) may stand for, which
// is known when the arguments of all templates are.
struct Cost {
  std::uint64_t own = 0, params = 0;
};
Cost operator+(const Cost& a, const Cost& b) {
  return {capped(a.own, 1, b.own), capped(a.params, 1, b.params)};
}
// Parts in the order in which they are written: the operands of + may be read in any.
Cost sum(std::initializer_list<Cost> parts) {
  Cost all;
  for (const Cost& one : parts) all = all + one;
  return all;
}
Cost operator*(const Cost& a, std::uint64_t times) {
  return {capped(a.own, times, 0), capped(a.params, times, 0)};
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

class Reader {
 public:
  // `longest`: a pack has at most so many elements.
  Reader(std::string_view text, std::uint64_t longest) : text_(text), longest_(longest) {}

  std::uint64_t read() {
    const Cost all = peek() == 'T' || peek() == 'G' ? special_name() : encoding();
    const bool is_end = at_ == text_.size() || peek() == '.';  // _Z1fv.cold
    if (!good_ || !is_end || arguments_.params != 0) return kCostUnknown;
    return capped(all.params, arguments_.own, all.own);
  }
  std::uint64_t longest() const { return longest_list_; }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool takes(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) { good_ = takes(c) && good_; }
  Cost fail() {
    good_ = false;
    return {};
  }
  Cost letters(std::size_t count) {
    at_ += count;
    return {2 * count, 0};
  }
  Cost candidate(const Cost& cost) {
    candidates_.push_back(cost);
    return cost;
  }

  // A rule within a rule; not deeper than the stack.
  template <class Rule>
  Cost within(const Rule& rule) {
    if (!good_ || depth_ >= kDeepest) return fail();
    ++depth_;
    const Cost cost = rule();
    --depth_;
    return cost + Cost{1, 0};
  }
  template <class Rule>
  Cost until_end(const Rule& rule) {
    Cost all;
    while (good_ && peek() != 'E') all = all + rule();
    expect('E');
    return all;
  }

  // <encoding> ::= <name> <bare-function-type> | <name>
  // A template parameter is the innermost template's, of those that are functions.
  Cost encoding() {
    return within([this] {
      arguments_end_ = 0;
      Cost all = name();
      const bool is_template =
          arguments_end_ != 0 && (arguments_end_ == at_ || arguments_end_ + 1 == at_);
      const Cost own = is_template ? last_arguments_ : Cost{};
      arguments_ = {std::max(arguments_.own, own.own), std::max(arguments_.params, own.params)};
      all = all + signature();
      if (is_template && own.params == 0) all = {capped(all.params, own.own, all.own), 0};
      return all;
    });
  }
  // Tables of a type, and what guards a variable; of the others there are none with long names.
  Cost special_name() {
    const Cost all = letters(2) + Cost{32, 0};
    if (text_.substr(0, 2) == "GV") return all + name();
    const bool of_type =
        text_.size() > 2 && text_[0] == 'T' && std::string_view("VTIS").find(text_[1]) < 4;
    return of_type ? all + type() : fail();
  }
  bool signature_ends() const {
    const char c = peek();
    return c == '\0' || c == 'E' || c == '.' || ((c == 'R' || c == 'O') && peek(1) == 'E');
  }
  Cost signature() {
    Cost all;
    takes('J');
    while (good_ && !signature_ends()) all = all + type();
    return all;
  }

  Cost name() {
    switch (peek()) {
      case 'N':
        return nested_name();
      case 'Z':
        return local_name();
      case 'S':
        if (peek(1) != 't') return with_arguments(substitution(), false);
        at_ += 2;
        return with_arguments(Cost{4, 0} + unqualified_name(), true);
      default:
        return with_arguments(unqualified_name(), true);
    }
  }
  Cost with_arguments(Cost of, bool is_new) {
    if (!good_ || peek() != 'I') return of;
    if (is_new) candidate(of);
    return of + template_args();
  }

  void qualifiers() {
    while (peek() == 'r' || peek() == 'V' || peek() == 'K') ++at_;
  }
  // <nested-name> ::= N [<CV-qualifiers>] [<ref-qualifier>] <prefix> <unqualified-name> E
  Cost nested_name() {
    expect('N');
    qualifiers();
    if (peek() == 'R' || peek() == 'O') ++at_;
    const Cost all = prefix() + Cost{4, 0};
    expect('E');
    return all;
  }
  Cost prefix(bool is_new = true) {
    Cost all;
    for (bool first = true; good_ && peek() != 'E'; first = false) {
      const char c = peek(), next = peek(1);
      const bool names = c == 'S';
      if (c == 'I')
        all = first ? fail() : all + template_args();
      else if (c == 'M' && !first && takes('M'))
        continue;  // of a lambda in an initializer
      else if (c == 'T')
        all = all + template_param();
      else if (c == 'S')
        all = all + substitution();
      else if (c == 'D' && (next == 'T' || next == 't'))
        all = all + type();
      else
        all = all + unqualified_name();
      if (is_new && !names && good_ && peek() != 'E') candidate(all);
    }
    return all;
  }

  // <local-name> ::= Z <encoding> E <entity> [<discriminator>] | Z <encoding> E s [...]
  Cost local_name() {
    return within([this] {
      expect('Z');
      Cost all = encoding();
      expect('E');
      if (takes('s')) {
        discriminator();
        return all;
      }
      if (takes('d')) number_then('_');
      all = all + name();
      discriminator();
      return all;
    });
  }
  void discriminator() {
    if (!takes('_')) return;
    const bool two = takes('_');
    good_ = is_digit(peek()) && good_;
    if (!two) {
      ++at_;
      return;
    }
    number_then('_');
  }
  void number_then(char c) {
    takes('n');
    while (is_digit(peek())) ++at_;
    expect(c);
  }

  Cost source_name() {
    std::size_t length = 0;
    good_ = is_digit(peek()) && good_;
    for (; good_ && is_digit(peek()); ++at_) {
      length = 10 * length + static_cast<std::size_t>(peek() - '0');
      good_ = length <= text_.size();
    }
    if (!good_ || length == 0 || length > text_.size() - at_) return fail();
    at_ += length;
    return {length + 2, 0};
  }
  Cost unqualified_name() {
    const char c = peek(), next = peek(1);
    Cost all;
    if (is_digit(c))
      all = source_name();
    else if (is_lower(c))
      all = operator_name();
    else if (c == 'C' || (c == 'D' && is_digit(next)))
      all = ctor_dtor_name();
    else if (c == 'L') {
      ++at_;
      all = source_name();
      discriminator();
    } else if (c == 'U' && (next == 'l' || next == 't'))
      all = unnamed_type();
    else
      return fail();
    while (good_ && takes('B')) all = all + source_name();
    return all;
  }
  // Its class's name is written once more.
  Cost ctor_dtor_name() {
    ++at_;
    const bool inherits = text_[at_ - 1] == 'C' && takes('I');
    good_ = is_digit(peek()) && good_;
    ++at_;
    return inherits ? type() : candidates_.empty() ? Cost{64, 0} : candidates_.back() + Cost{64, 0};
  }
  // <closure-type-name> ::= Ul <lambda-sig> E [<number>] _ ; <unnamed-type-name> ::= Ut [...] _
  Cost unnamed_type() {
    const bool is_lambda = peek(1) == 'l';
    Cost all = letters(2);
    if (is_lambda) {
      all = all + signature();
      expect('E');
    }
    number_then('_');
    candidate(all);
    return all + Cost{16, 0};
  }
  Cost operator_name() {
    const char c = peek(), next = peek(1);
    Cost all = letters(2);
    if (c == 'o' && next == 'n') return all + unqualified_name();
    if (c == 'c' && next == 'v') return all + type();
    if ((c == 'l' && next == 'i') || (c == 'v' && is_digit(next))) return all + source_name();
    good_ = (is_lower(next) || is_upper(next)) && good_;
    return all + Cost{12, 0};
  }

  // <substitution> ::= S <seq-id> _ | S_ | Sa | Ss ...
  Cost substitution() {
    expect('S');
    if (is_lower(peek())) return letters(1) + Cost{40, 0};  // std::, std::string
    std::size_t index = 0;
    const bool is_first = peek() == '_';  // S_ is the first, S0_ the second
    for (; good_ && (is_digit(peek()) || is_upper(peek())); ++at_) {
      index = 36 * index +
              static_cast<std::size_t>(is_digit(peek()) ? peek() - '0' : peek() - 'A' + 10);
      good_ = index < text_.size();
    }
    if (!is_first) ++index;
    expect('_');
    return good_ && index < candidates_.size() ? candidates_[index] : fail();
  }
  Cost template_param() {
    expect('T');
    while (is_digit(peek())) ++at_;
    expect('_');
    return {1, 1};
  }

  Cost template_args() {
    return within([this] {
      ++at_;  // I, or J
      std::uint64_t count = 0;
      const Cost all = until_end([&] {
        ++count;
        return template_arg();
      });
      longest_list_ = std::max(longest_list_, count);
      last_arguments_ = all + Cost{2 * count + 2, 0};
      arguments_end_ = at_;
      return last_arguments_;
    });
  }
  Cost template_arg() {
    if (peek() == 'X') {
      ++at_;
      const Cost all = expression();
      expect('E');
      return all;
    }
    if (peek() == 'L') return expr_primary();
    return peek() == 'I' || peek() == 'J' ? template_args() : type();
  }
  // <expr-primary> ::= L <type> <value> E | L <mangled-name> E
  Cost expr_primary() {
    return within([this] {
      expect('L');
      if (peek() == '_' || peek() == 'Z') {
        takes('_');
        expect('Z');
        const Cost all = encoding();
        expect('E');
        return all;
      }
      Cost all = type();
      for (; good_ && peek() != 'E' && peek() != '\0'; ++at_) ++all.own;
      expect('E');
      return all + Cost{8, 0};
    });
  }

  Cost type() {
    return within([this] { return any_type(); });
  }
  bool is_qualifier() const {
    const char c = peek(), next = peek(1);
    return c == 'r' || c == 'V' || c == 'K' ||
           (c == 'D' && (next == 'o' || next == 'O' || next == 'x' || next == 'w'));
  }
  Cost any_type() {
    const char c = peek();
    if (is_qualifier()) return qualified_type();
    if (is_digit(c) || c == 'N' || c == 'Z') return candidate(name());
    if (c == 'F') return candidate(function_type());
    if (c == 'A') return candidate(array_type());
    if (c == 'T') return candidate(with_arguments(template_param(), true));
    if (c == 'S') return type_by_substitution();
    if (c == 'D') return d_type();
    if (c == 'P' || c == 'R' || c == 'O' || c == 'C' || c == 'G' || c == 'M' || c == 'u') {
      ++at_;  // of a pointer and the like; of a member; a vendor's
      return candidate(c == 'u' ? source_name() : c == 'M' ? sum({type(), type()}) : type());
    }
    return is_lower(c) ? letters(1) + Cost{6, 0} : fail();
  }
  Cost qualified_type() {
    Cost all;
    while (good_ && is_qualifier()) {
      const char c = peek(), next = peek(1);
      all = all + letters(c == 'D' ? 2 : 1) + Cost{8, 0};
      if (c == 'D' && next == 'O') {
        all = all + expression();
        expect('E');
      } else if (c == 'D' && next == 'w') {
        all = all + until_end([this] { return type(); });
      }
    }
    return candidate(all + (peek() == 'F' ? function_type() : type()));
  }
  // F [Y] <types> [<ref-qualifier>] E
  Cost function_type() {
    return within([this] {
      expect('F');
      takes('Y');
      const Cost all = signature();
      if (peek() == 'R' || peek() == 'O') ++at_;
      expect('E');
      return all;
    });
  }
  Cost array_type() {
    expect('A');
    Cost all{4, 0};
    if (is_digit(peek()))
      while (is_digit(peek())) all = all + letters(1);
    else if (peek() != '_')
      all = all + expression();
    expect('_');
    return all + type();
  }
  Cost type_by_substitution() {
    const char next = peek(1);
    if (next == 't') return candidate(name());
    const Cost of = substitution();
    if (peek() == 'I') return candidate(of + template_args());
    return of;
  }
  Cost d_type() {
    const char c = peek(1);
    Cost all = letters(2);
    switch (c) {
      case 'T':
      case 't':
        all = all + expression();
        expect('E');
        return candidate(all);
      case 'p':
        return candidate((all + type()) * longest_);
      case 'F':
        for (; is_digit(peek()); ++at_) ++all.own;
        if (!takes('b') && !takes('x')) expect('_');
        return all;
      default:
        return is_lower(c) ? all + Cost{16, 0} : fail();
    }
  }

  // sr <type>, sr N <type> <levels> E, sr <levels> E
  Cost unresolved_scope() {
    if (peek() != 'N' && !is_digit(peek())) return type();
    Cost all;
    if (takes('N')) all = type();
    if (peek() != 'E') all = all + prefix(false);
    expect('E');
    return all;
  }
  // Of operators only how many operands they have matters, and what these are.
  Cost expression() {
    return within([this] { return any_expression(); });
  }
  Cost any_expression() {
    const char c = peek(), next = peek(1);
    const auto is = [&](const char* code) { return c == code[0] && next == code[1]; };
    const auto one_of = [&](std::string_view codes) {
      for (std::size_t k = 0; k + 1 < codes.size(); k += 3)
        if (codes[k] == c && codes[k + 1] == next) return true;
      return false;
    };
    if (c == 'L') return expr_primary();
    if (c == 'T') return template_param();
    if (is_digit(c) || is("on")) return with_arguments(unqualified_name(), false);
    Cost all = letters(2) + Cost{12, 0};
    if (is("sr")) return sum({all, unresolved_scope(), with_arguments(unqualified_name(), false)});
    if (is("sp")) return (all + expression()) * longest_;
    if (is("fp")) {
      if (!takes('T')) number_then('_');
      return all;
    }
    if (is("il")) return all + until_end([this] { return expression(); });
    if (is("tl")) return sum({all, type(), until_end([this] { return expression(); })});
    if (is("sZ")) return all + (peek() == 'T' ? template_param() : expression()) * longest_;
    if (is("cl")) return all + until_end([this] { return expression(); });
    if (one_of("st ti at")) return all + type();
    if (one_of("dc sc cc rc")) return sum({all, type(), expression()});
    if (one_of("dt pt")) return sum({all, expression(), with_arguments(unqualified_name(), false)});
    if (is("cv")) {
      all = all + type();
      return all + (takes('_') ? until_end([this] { return expression(); }) : expression());
    }
    if (one_of("pp mm")) takes('_');
    if (one_of("pp mm ng ps nt co ad de sz az te nx tw dl da")) return all + expression();
    if (one_of("pl mi ml dv rm an or eo aS pL mI mL dV rM aN oR eO ls rs lS rS eq ne lt gt le ge "
               "ss aa oo cm pm ix ds"))
      return sum({all, expression(), expression()});
    if (is("qu")) return sum({all, expression(), expression(), expression()});
    return fail();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool good_ = true;
  std::uint64_t longest_, longest_list_ = 1;
  Cost arguments_, last_arguments_;  // of the templates that T_ may mean; of the last one
  std::size_t arguments_end_ = 0;    // behind those of the last one
  std::vector<Cost> candidates_;
};

}  // namespace

std::uint64_t name_cost(std::string_view mangled) {
  if (mangled.substr(0, 2) != "_Z") return kCostUnknown;
  Reader first(mangled.substr(2), 1);
  first.read();
  return Reader(mangled.substr(2), first.longest()).read();
}

}  // namespace lanescope::trace
