// SPDX-License-Identifier: MIT
// The text a kernel prints is kept in its CTA; whoever launched it gets it in LaunchReport.
//
// Source: CUDA C++ Programming Guide, "Formatted Output"; how nvcc lays out the arguments: each
// aligned to its size, float as double, in a buffer the second argument points to.
#include "emulator/execute/print.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "emulator/execute/generic_bytes.hpp"

namespace lanescope::emulator {
namespace {

struct Conversion {
  std::string spec;  // "%-5ll", without the conversion letter
  char letter = 0;
  bool wide = false;  // l, ll, j, z, t: 8 bytes
  int bits = 32;      // otherwise; h: 16, hh: 8
};

// Parses what follows a '%'; `at` ends behind the letter. Of what is no conversion all but its
// length stays to be printed; of what the format breaks off in all. So an H200 does.
Conversion parse_conversion(const std::string& format, std::size_t& at) {
  const std::size_t begin = at;
  Conversion made;
  made.spec = "%";
  while (at < format.size()) {
    const char c = format[at++];
    if (std::strchr("lhjztqL", c) != nullptr) {
      made.wide = made.wide || std::strchr("ljztq", c) != nullptr;
      if (c == 'h') made.bits = made.bits == 32 ? 16 : 8;
      continue;  // the host's own length modifier is put in by print()
    }
    if (std::strchr("diouxXcsfFeEgGaApn%", c) != nullptr) {
      made.letter = c;
      return made;
    }
    made.spec += c;
    if (std::strchr("-+ #0123456789.*", c) == nullptr || made.spec.size() > 40) return made;
  }
  made.spec = "%" + format.substr(begin);
  return made;
}

template <class T>
std::string printed(const std::string& spec, T value) {
  const int size = std::snprintf(nullptr, 0, spec.c_str(), value);
  if (size < 0 || size > (1 << 20)) return {};
  std::string text(static_cast<std::size_t>(size) + 1, '\0');
  std::snprintf(text.data(), text.size(), spec.c_str(), value);
  text.pop_back();
  return text;
}

class Printer {
 public:
  Printer(Warp& w, int lane, std::uint64_t arguments) : w_(w), lane_(lane), next_(arguments) {}

  bool print(const std::string& format, std::string& out) {
    for (std::size_t at = 0; at < format.size();) {
      if (format[at] != '%') {
        out += format[at++];
        continue;
      }
      ++at;
      Conversion conversion = parse_conversion(format, at);
      if (!star(conversion) || !one(conversion, out)) return false;
      if (conversion.letter != '%' && conversion.letter != 0) ++count_;
    }
    return true;
  }
  /// A printf has 32 arguments at most, a width or precision among them.
  int count() const { return std::min(count_, 32); }

 private:
  bool take(std::size_t bytes, std::uint64_t& value) {
    next_ = (next_ + bytes - 1) / bytes * bytes;
    value = 0;
    if (!read_generic(w_, lane_, next_, &value, bytes)) return false;
    next_ += bytes;
    return true;
  }

  // A '*' is a width or precision among the arguments; a width below 0 has a '-' as if in front.
  bool star(Conversion& conversion) {
    for (std::size_t at; (at = conversion.spec.find('*')) != std::string::npos;) {
      std::uint64_t value = 0;
      if (!take(4, value)) return false;
      const int number = std::clamp(static_cast<int>(value), -1000, 1000);
      if (number < 0 && conversion.spec[at - 1] == '.')
        conversion.spec.erase(at - 1, 2);  // C: as if there were none
      else
        conversion.spec.replace(at, 1, std::to_string(number));
      ++count_;
    }
    return true;
  }

  bool one(const Conversion& conversion, std::string& out) {
    std::uint64_t value = 0;
    const std::string& spec = conversion.spec;
    const int unused = conversion.wide ? 0 : 64 - conversion.bits;
    switch (conversion.letter) {
      case '%':
        out += '%';
        return true;
      case 'c':
        if (!take(4, value)) return false;
        out += printed(spec + "c", static_cast<int>(value));
        return true;
      case 's': {
        std::string text;
        if (!take(8, value)) return false;
        if (value != 0 && !read_string(w_, lane_, value, text)) return false;
        out += printed(spec + "s", value == 0 ? nullptr : text.c_str());
        return true;
      }
      case 'p':
        if (!take(8, value)) return false;
        out += printed(spec + "p", reinterpret_cast<void*>(value));
        return true;
      case 'f':
      case 'F':
      case 'e':
      case 'E':
      case 'g':
      case 'G':
      case 'a':
      case 'A': {
        if (!take(8, value)) return false;
        double number;
        std::memcpy(&number, &value, 8);
        out += printed(spec + conversion.letter, number);
        return true;
      }
      case 'd':
      case 'i':
        if (!take(conversion.wide ? 8 : 4, value)) return false;
        out += printed(spec + "ll" + conversion.letter,
                       static_cast<long long>(value << unused) >> unused);
        return true;
      case 'o':
      case 'u':
      case 'x':
      case 'X':
        if (!take(conversion.wide ? 8 : 4, value)) return false;
        out += printed(spec + "ll" + conversion.letter,
                       static_cast<unsigned long long>(value << unused >> unused));
        return true;
      default:
        out += spec;
        return true;
    }
  }

  Warp& w_;
  int lane_;
  std::uint64_t next_;
  int count_ = 0;
};

}  // namespace

bool read_string(Warp& w, int lane, std::uint64_t address, std::string& text) {
  constexpr std::size_t kLongest = 1 << 16;
  char c = 0;
  do {
    if (!read_generic(w, lane, address++, &c, 1)) return false;
    if (c != 0) text += c;
  } while (c != 0 && text.size() < kLongest);
  return true;
}

bool print(Warp& w, int lane, std::uint64_t format, std::uint64_t arguments, int& count) {
  std::string text;
  count = -1;
  if (format == 0) return true;  // that is its answer to no format
  if (!read_string(w, lane, format, text)) return false;
  Printer printer(w, lane, arguments);
  const bool fine = printer.print(text, w.cta->printed);
  count = printer.count();
  return fine;
}

}  // namespace lanescope::emulator
