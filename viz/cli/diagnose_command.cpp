// SPDX-License-Identifier: MIT
// `diagnose TRACE`, or of an exercise's last check its number: the name of the mistake. Exit code 0
// when every fragment that could be compared is right, 1 when one is not, 2 when there was nothing
// to compare.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/course_tools.hpp"
#include "cli/printable.hpp"
#include "cli/project.hpp"
#include "cli/suggest.hpp"
#include "cli/terminal.hpp"
#include "layout/instruction.hpp"
#include "panels/way/each_verdict.hpp"
#include "panels/way/scale_factors.hpp"
#include "panels/way/tensor_factors.hpp"
#include "panels/way/tensor_stored.hpp"
#include "trace/diagnose.hpp"
#include "trace/reader.hpp"

namespace lanescope::cli {
namespace {

using trace::Diagnosis;
using trace::Verdict;

std::string where(const trace::Place& place) {
  return fmt::format("launch {}, block {},{},{}, warp {}", place.launch, place.block[0],
                     place.block[1], place.block[2], place.warp);
}

bool is_fragment(const trace::Event& event) {
  return std::holds_alternative<trace::Fragment>(event);
}

bool is_step(const trace::Event& event) { return std::holds_alternative<trace::Step>(event); }

bool is_wgmma(const trace::Event& event) {
  const auto* step = std::get_if<trace::Step>(&event);
  return step != nullptr && step->ptx.find("wgmma.mma_async") != std::string::npos;
}

bool is_tensor_memory_product(const trace::Event& event) {
  const auto* step = std::get_if<trace::Step>(&event);
  return step != nullptr && step->ptx.find("tcgen05.mma") != std::string::npos;
}

void say_below(const viz::OperandVerdict& words) {
  for (const std::string& line : viz::lines_below(words)) print("  {}\n", one_line(line));
}

/// In full, or where the same was said of another fragment, its first line alone.
void say(const trace::Trace& trace, const Diagnosis& d, bool again) {
  const auto& fragment =
      std::get<trace::Fragment>(trace.events[static_cast<std::size_t>(d.fragment)]);
  const viz::OperandVerdict words = viz::in_words(trace, d);
  print("{} of {}: {}\n", one_line(fragment.name), where(fragment.place), one_line(words.headline));
  if (again || !words.is_wrong()) return;
  say_below(words);
  if (fragment.source.line > 0)
    print("  Recorded at {}:{}.\n", one_line(fragment.source.file), fragment.source.line);
}

// ---- Of steps alone: by where the elements came from --------------------------------------------

std::string product_name(const viz::Model& model, std::size_t index) {
  const viz::Multiplication& in = model.multiplications[index];
  const trace::SourceLine& source = in.steps[0]->source;
  std::string text = fmt::format("product {}, {}", index + 1, viz::short_name(in));
  if (source.line > 0)
    text += fmt::format(", {}:{}", one_line(std::filesystem::path(source.file).filename().string()),
                        source.line);
  return text;
}

struct Counts {
  int compared = 0, wrong = 0, not_compared = 0;
  std::map<viz::Told, int> right;
  std::set<std::string> said;  // why something was not compared, mistakes
  std::map<std::string, int> alike;
};

std::string name_of(const viz::Model& model, const viz::ToldVerdict& told) {
  if (told.of != viz::Told::tensor_sum) return product_name(model, told.index);
  return fmt::format("sum {}, of {} tcgen05.mma{}{}", told.index + 1, told.added,
                     told.source.empty() ? "" : ", ", one_line(told.source));
}

void say(const viz::Model& model, const viz::ToldVerdict& told, Counts& counts) {
  const Diagnosis& d = told.check.diagnosis;
  const viz::OperandVerdict words = viz::in_words(told.check, told.operand, told.in_order);
  const std::string line = fmt::format("{} of {}: {}\n", layout::operand_name(told.operand),
                                       name_of(model, told), one_line(words.headline));
  if (words.verdict == Verdict::not_compared) {
    ++counts.not_compared;
    if (counts.said.insert(d.mistake).second) print("{}", line);
    return;
  }
  ++counts.compared;
  constexpr int kMostRight = 8;  // that are said one by one
  if (words.verdict == Verdict::right) {
    if (++counts.right[told.of] <= kMostRight) print("{}", line);
    return;
  }
  ++counts.wrong;
  constexpr int kMostAlike = 4;  // that are said one by one
  // Without lines that lie somewhere the words name each element, or each tile, anew.
  const bool is_named = words.misplaced.empty();
  if (++counts.alike[is_named ? told.operand + d.kind : d.kind + d.mistake] > kMostAlike) return;
  print("{}", line);
  if (!counts.said.insert(is_named ? d.advice : d.mistake).second) return;
  say_below(words);
}

// "deadlock, gemm.cu:11: nobody can go on, ..."
std::string finding_text(const trace::Diagnostic& found) {
  const std::string source = viz::source_text(found.source);
  return one_line(
      fmt::format("{}{}{}: {}", found.kind, source.empty() ? "" : ", ", source, found.message));
}

std::vector<const trace::Diagnostic*> findings_of(const trace::Trace& trace) {
  std::vector<const trace::Diagnostic*> all;
  for (const trace::Event& event : trace.events)
    if (const auto* found = std::get_if<trace::Diagnostic>(&event);
        found != nullptr && found->kind != "approximate")
      all.push_back(found);
  return all;
}

// What --check has found in the same run: wrong elements may follow from it.
void say_findings(const trace::Trace& trace) {
  const std::vector<const trace::Diagnostic*> all = findings_of(trace);
  if (all.empty()) return;
  const std::string first = finding_text(*all.front());
  if (all.size() == 1)
    print("the check has found, in the same run: {}\n", first);
  else
    print("the check has found {} things in the same run, first: {}\n", all.size(), first);
}

int diagnose_steps(const viz::Model& model) {
  const viz::StepList steps = viz::make_steps(model.trace);
  viz::Verdicts verdicts(model, steps);
  Counts counts;
  const std::size_t products = model.multiplications.size(), most = verdicts.looked_at();
  const viz::LookedAt looked = viz::each_verdict(
      verdicts, model, steps, [&](const viz::ToldVerdict& told) { say(model, told, counts); });
  if (looked.all_tensor_sums > looked.tensor_sums)
    print("{} of {} sums of tcgen05.mma were looked at\n", looked.tensor_sums,
          looked.all_tensor_sums);
  const bool of_warps = products > 0 && model.multiplications.front().tensor == nullptr;
  if (products > most && of_warps)
    print("{} of {} products were looked at, the first ones and the last{}\n", most,
          products + model.left_out,
          model.left_out > 0 ? fmt::format(" of the first {}", products) : "");
  say_findings(model.trace);
  if (counts.compared == 0)
    return refuse(
        "no operand could be compared, for the reasons above; RECORD and RECORD_TILE say "
        "what belongs where");
  if (counts.compared == 1)
    print("1 operand compared, by where its elements came from; it is {}\n",
          counts.wrong == 0 ? "right" : "wrong");
  else
    print("{} operands compared, by where their elements came from; {}\n", counts.compared,
          counts.wrong == 0   ? "all are right"
          : counts.wrong == 1 ? "one is wrong"
                              : fmt::format("{} are wrong", counts.wrong));
  if (counts.not_compared > 0)
    print("{} not compared, for the reasons above: they may be right or wrong\n",
          counts.not_compared);
  return counts.wrong == 0 ? 0 : 1;
}

}  // namespace

int list_mistakes() {
  for (const auto* known :
       {&trace::known_mistakes(), &viz::known_origin_mistakes(), &viz::known_packed_mistakes(),
        &viz::known_descriptor_mistakes(), &viz::known_sum_mistakes(), &viz::known_tap_mistakes(),
        &viz::known_gathered_mistakes(), &viz::known_edge_mistakes(),
        &viz::known_epilogue_mistakes(), &viz::known_score_mistakes(),
        &viz::known_tensor_mistakes(), &viz::known_factor_mistakes(), &viz::known_scale_mistakes()})
    for (const trace::KnownMistake& one : *known) print("  {:<22} {}\n", one.kind, one.words);
  return 0;
}

int diagnose(const std::string& target) {
  const FoundTrace found = find_checked(target);
  if (!found.problem.empty()) return refuse(found.problem);
  const std::string& path = found.path;
  trace::ReadResult result = trace::read_file(path);
  if (!result.ok()) return refuse(result.error->message(path));
  make_printable(result.trace);
  if (std::none_of(result.trace.events.begin(), result.trace.events.end(), is_fragment)) {
    const bool of_tensor_memory = std::any_of(result.trace.events.begin(),
                                              result.trace.events.end(), is_tensor_memory_product);
    const bool has_steps =
        std::any_of(result.trace.events.begin(), result.trace.events.end(), is_step);
    const viz::Model model = viz::make_model(std::move(result.trace));
    if (model.is_of_steps() || of_tensor_memory) return diagnose_steps(model);
    if (const auto all = findings_of(model.trace); !all.empty())
      return refuse(fmt::format("{} has no product to look at, and this was found in the run: {}",
                                shown(path), finding_text(*all.front())));
    if (std::any_of(model.trace.events.begin(), model.trace.events.end(), is_wgmma))
      return refuse(
          fmt::format("{} has wgmma, but no wgmma.wait_group behind it that waits for it: "
                      "its sums never arrive",
                      shown(path)));
    if (has_steps)
      return refuse(fmt::format(
          "{} has steps, but none of them multiplies by mma, wmma or wgmma; is it another kernel, "
          "launch, block or warp that does? lanescope run --steps mma takes the first kernel that "
          "does, kernel=NAME,launch=N,... chooses",
          shown(path)));
    result.trace = {};
  }
  const std::vector<Diagnosis> all = trace::diagnose(result.trace);
  const bool of_exercise = path != target;
  if (of_exercise && std::all_of(all.begin(), all.end(), [](const Diagnosis& d) {
        return d.verdict == Verdict::not_compared;
      }))
    return refuse(fmt::format(
        "exercise {} records no matrix to compare with: its check names the mistake, {} check {}",
        target, learn(), target));
  int compared = 0, wrong = 0, not_compared_either = 0;
  std::set<std::string> said;  // advice that was given, reasons why nothing was compared
  for (const Diagnosis& d : all) {
    const bool is_compared = d.verdict != Verdict::not_compared;
    const bool again =
        d.verdict != Verdict::right && !said.insert(is_compared ? d.advice : d.mistake).second;
    if (is_compared || !again)
      say(result.trace, d, again);
    else
      ++not_compared_either;
    compared += d.verdict != Verdict::not_compared;
    wrong += d.verdict == Verdict::mistake || d.verdict == Verdict::unknown;
  }
  if (not_compared_either > 0)
    print("{} more not compared, for reasons given above\n", not_compared_either);
  if (compared == 0)
    return refuse(fmt::format(
        "{} has no fragment with a matrix to compare it with; record that too, with RECORD_TILE or "
        "Recorder::memory, by a name that begins with the operand's letter",
        shown(path)));
  print("{} of {} fragments compared; {}\n", compared, all.size(),
        wrong == 0   ? "all are right"
        : wrong == 1 ? "one is wrong"
                     : fmt::format("{} are wrong", wrong));
  return wrong == 0 ? 0 : 1;
}

}  // namespace lanescope::cli
