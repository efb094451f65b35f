// SPDX-License-Identifier: MIT
// The recorded listings, read: which line of PTX became which lines of SASS. It does not
// disassemble; record.sh does, where there is nvdisasm.
//
//     # sm_90a: nvcc V13.0.88, ptxas, nvdisasm V13.0.85, 2026-11-20    where it is from
//     [multiply_f16] 14 registers, 0 bytes of spill stores             a kernel
//     P 48 cp.async.cg.shared.global [%r3], [%rd4], 16;                a line of PTX, by number
//     S 00f0 LDGSTS.E.BYPASS.128 [R7], desc[UR6][R2.64]                and what is from it
//
// SASS stands in the order in which it runs, so a line of PTX may come up several times.
#pragma once

#include <cstdio>
#include <initializer_list>
#include <map>
#include <sstream>
#include <string>
#include <vector>

struct Sass {
  std::string kernel;
  std::string ptx;            // the statement it is from, "" where the compiler names none
  std::string text;           // "@!P0 LDGSTS.E.BYPASS.128 [R7+0x200], desc[UR6][R4.64]"
  std::string name() const {  // "LDGSTS.E.BYPASS.128"
    const std::string words = text[0] == '@' ? text.substr(text.find(' ') + 1) : text;
    return words.substr(0, words.find(' '));
  }
};

struct Use {
  int registers = 0, spill_bytes = 0;
};

struct Listing {
  std::string arch, provenance;
  std::vector<Sass> lines;
  std::map<std::string, Use> kernels;
};

inline Listing read_listing(const char* arch, const char* text) {
  Listing listing{arch, "", {}, {}};
  std::istringstream lines(text);
  std::string kernel, ptx;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string mark, number;
    words >> mark >> number;
    if (mark == "#" && listing.provenance.empty()) listing.provenance = line.substr(2);
    if (mark[0] == '[') {
      kernel = mark.substr(1, mark.size() - 2);
      ptx.clear();
      Use use;
      std::sscanf(line.c_str() + mark.size(), "%d registers, %d bytes", &use.registers,
                  &use.spill_bytes);
      listing.kernels[kernel] = use;
    }
    const std::size_t rest = line.find(' ', 2) + 1;
    if (mark == "P") ptx = line.substr(rest);
    if (mark == "S") listing.lines.push_back({kernel, ptx, line.substr(rest)});
  }
  return listing;
}

inline const std::vector<Listing>& listings() {
  static const std::vector<Listing> all{
      read_listing("sm_80",
#include "listings/sm_80.inc"
                   ),
      read_listing("sm_89",
#include "listings/sm_89.inc"
                   ),
      read_listing("sm_90a",
#include "listings/sm_90a.inc"
                   ),
  };
  return all;
}

inline Use use_of(const Listing& listing, const std::string& kernel) {
  const auto found = listing.kernels.find(kernel);
  return found == listing.kernels.end() ? Use{} : found->second;
}

/// Whether `statement` is the instruction `name`, or begins with it: "cp.async.wait_group 0;".
inline bool is_instruction(const std::string& statement, const std::string& name) {
  return statement.compare(0, name.size(), name) == 0 &&
         std::string(" \t;").find(statement[name.size()]) != std::string::npos;
}

/// "12 F2FP.F16.E4M3.UNPACK_B, 2 HMMA.16816.F32": what the first such line of PTX became.
inline std::string operations(const Listing& listing, const std::string& kernel,
                              const std::string& ptx) {
  std::vector<std::pair<std::string, int>> counts;
  std::string statement;
  for (const Sass& sass : listing.lines) {
    if (sass.kernel != kernel || !is_instruction(sass.ptx, ptx)) continue;
    if (statement.empty()) statement = sass.ptx;
    if (sass.ptx != statement) continue;  // a second one, like the first
    bool known = false;
    for (auto& [name, count] : counts)
      if (name == sass.name()) ++count, known = true;
    if (!known) counts.push_back({sass.name(), 1});
  }
  std::string text;
  for (const auto& [name, count] : counts)
    text += (text.empty() ? "" : ", ") + (count > 1 ? std::to_string(count) + " " : "") + name;
  return text;
}

/// How many instructions of a kernel are called so, or begin so: "STL" counts STL.64 too.
inline int count(const Listing& listing, const std::string& kernel, const std::string& name) {
  int found = 0;
  for (const Sass& sass : listing.lines)
    found +=
        sass.kernel == kernel && (sass.name() + ".").compare(0, name.size() + 1, name + ".") == 0;
  return found;
}

/// Prints what `of` says of each architecture, those that agree in one line, those with "" not.
template <class Of>
void print_by_arch(Of of) {
  std::vector<std::pair<std::string, std::string>> shown;  // what, architectures
  for (const Listing& listing : listings()) {
    const std::string what = of(listing);
    if (what.empty()) continue;
    if (!shown.empty() && shown.back().first == what)
      shown.back().second += ", " + listing.arch;
    else
      shown.push_back({what, listing.arch});
  }
  for (const auto& [what, archs] : shown)
    std::printf("    %-22s %s\n", archs.c_str(), what.c_str());
}

/// What was recorded with what.
inline void show_provenance() {
  std::printf("Listings of:\n");
  for (const Listing& listing : listings()) std::printf("  %s\n", listing.provenance.c_str());
  std::printf("\n");
}

/// Lines of PTX and what became of them.
inline void show(const char* kernel, std::initializer_list<const char*> lines_of_ptx) {
  for (const char* ptx : lines_of_ptx) {
    std::printf("  %s\n", ptx);
    print_by_arch([&](const Listing& listing) { return operations(listing, kernel, ptx); });
  }
}

/// What a kernel takes; STL and LDL are stores and loads of spilled registers.
inline void show_registers(const char* kernel) {
  print_by_arch([&](const Listing& listing) {
    return std::to_string(use_of(listing, kernel).registers) + " registers, " +
           std::to_string(count(listing, kernel, "STL")) + " STL, " +
           std::to_string(count(listing, kernel, "LDL")) + " LDL";
  });
}
