// SPDX-License-Identifier: MIT
// The emulator refuses for a `.target` what ptxas refuses for it (emulator/ptx/target.hpp): every
// form of the recording, for every target that brought something. ptxas sees all forms in one
// module.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <set>
#include <string>

#include "emulator/machine.hpp"
#include "emulator/ptx/ptx_parser.hpp"
#include "emulator/ptx/target.hpp"
#include "tests/golden/scalar/replay.hpp"
#include "tests/said_by_ptxas.hpp"
#include "tests/sample.hpp"

namespace lanescope::golden::scalar {
namespace {

// Sanitized, all forms take most of a minute: each tenth.
const std::size_t kEach = tests::one_in(10);

const std::vector<Recorded>& forms() {
  static const std::vector<Recorded> kForms = [] {
    const Recording recording = read_recording("h200.txt.zst");
    std::vector<Recorded> sample;
    for (std::size_t n = 0; n < recording.forms.size(); n += kEach)
      sample.push_back(recording.forms[n]);
    return sample;
  }();
  return kForms;
}

std::string head_for(std::string_view target) {
  std::string head = module_head();
  const std::size_t at = head.find("sm_90a");
  REQUIRE(at != std::string::npos);
  return head.replace(at, 6, target);
}

struct Written {
  std::string text;
  std::vector<std::size_t> form_of_line;  // from 1
};

Written write(std::string_view target) {
  Written made;
  made.text = head_for(target);
  const auto lines = [&](std::size_t form, std::string_view text) {
    for (const char c : text)
      if (c == '\n') made.form_of_line.push_back(form);
  };
  made.form_of_line.push_back(0);
  lines(0, made.text);
  for (std::size_t n = 0; n < forms().size(); ++n) {
    const std::string kernel = scalar::kernel(forms()[n].form, fmt::format("f{}", n));
    lines(n, kernel);
    made.text += kernel;
  }
  return made;
}

/// What ptxas says of each form it refuses.
std::set<std::size_t> refused_by_ptxas(const Written& written, std::string_view target) {
  std::set<std::size_t> found;
  for (const auto& [number, text] : tests::said_by_ptxas(written.text, target)) {
    if (text.find(".target") == std::string::npos) continue;
    REQUIRE(number > 0);
    REQUIRE(static_cast<std::size_t>(number) <= written.form_of_line.size());
    found.insert(written.form_of_line[static_cast<std::size_t>(number) - 1]);
  }
  return found;
}

const std::set<std::size_t>& refused_here(const std::string& target) {
  static std::map<std::string, std::set<std::size_t>> known;
  const auto [place, is_new] = known.try_emplace(target);
  std::set<std::size_t>& found = place->second;
  if (!is_new) return found;
  const emulator::PtxModule module = emulator::parse_ptx(write(target).text, "forms.ptx");
  REQUIRE(module.functions.size() == forms().size());
  for (std::size_t n = 0; n < module.functions.size(); ++n)
    for (const emulator::PtxStatement& statement : module.functions[n].statements)
      if (emulator::missing_target(statement, emulator::parse_target(target)) != "")
        found.insert(n);
  return found;
}

TEST_CASE("a target refuses the forms that ptxas refuses for it") {
  if (!tests::has_ptxas()) {
    MESSAGE("no ptxas here: the table of targets is not compared with it");
    return;
  }
  for (const std::string target : {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_90a"}) {
    CAPTURE(target);
    const std::set<std::size_t> ptxas = refused_by_ptxas(write(target), target);
    const std::set<std::size_t>& here = refused_here(target);
    std::string differences;
    for (std::size_t n = 0; n < forms().size(); ++n)
      if (ptxas.count(n) != here.count(n))
        differences += fmt::format("{}: {}\n", ptxas.count(n) != 0 ? "ptxas" : "only here",
                                   forms()[n].form.text);
    CHECK(differences == "");
  }
}

TEST_CASE("how many forms each target lacks, ptxas or not" * doctest::skip(kEach != 1)) {
  const struct Lacking {
    const char* target;
    std::size_t forms;
  } all[] = {{"sm_75", 933}, {"sm_80", 817}, {"sm_86", 785},
             {"sm_89", 773}, {"sm_90", 0},   {"sm_90a", 0}};
  for (const Lacking& lacking : all) {  // no binding: clang 14 cannot capture one
    CAPTURE(lacking.target);
    CHECK(refused_here(lacking.target).size() == lacking.forms);
  }
}

// A module as a program loads it: one line that names the instruction, its line and the target.
TEST_CASE("what a target lacks is an error of the whole module") {
  for (const std::string target : {"sm_80", "sm_90"}) {
    CAPTURE(target);
    const std::set<std::size_t>& refused = refused_here(target);
    for (std::size_t n = 0; n < forms().size(); n += 61) {
      CAPTURE(forms()[n].form.text);
      emulator::Machine machine({.arch = "sm_90a"});
      const auto module =
          machine.load(head_for(target) + scalar::kernel(forms()[n].form, "f"), "form.ptx");
      CAPTURE(module.error.message);
      CHECK(module.ok() == (refused.count(n) == 0));
      if (module.ok()) continue;
      CHECK(module.error.code == emulator::ErrorCode::invalid_ptx);
      CHECK(module.error.message.find("this needs sm_") == 0);
      CHECK(module.error.message.find("form.ptx:") != std::string::npos);
    }
  }
}

}  // namespace
}  // namespace lanescope::golden::scalar
