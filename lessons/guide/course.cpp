// SPDX-License-Identifier: MIT
// Finds the lessons; see course.hpp.
#include "guide/course.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>
#include <string_view>

namespace lanescope::guide {
namespace {

namespace fs = std::filesystem;

/// What the course grows into. A lesson's folder, once it is there, replaces its line.
const std::vector<Lesson> kLadder{
    {1, "01_fragment_layout", "Fragment layout: who holds which element", false},
    {2, "02_data_types", "Data types: nine ways to write a number", false},
    {3, "03_ldmatrix", "ldmatrix: from shared memory into fragments", false},
    {4, "04_banks_and_swizzle", "Banks and swizzles: 32 doors to shared memory", false},
    {5, "05_cp_async", "cp.async: loading while computing", false},
    {6, "06_naive_hgemm", "A whole HGEMM, as simple as can be", false},
    {7, "07_fast_hgemm", "A fast HGEMM, rung by rung", false},
    {8, "08_sass", "SASS: what the card really runs", false},
    {9, "09_wgmma", "wgmma: four warps at once", false},
    {10, "10_descriptors", "Descriptors: matrices in shared memory", false},
    {11, "11_wgmma_types", "wgmma in every type", false},
    {12, "12_tma_mbarrier", "TMA and mbarrier: tiles that load themselves", false},
    {13, "13_hopper_hgemm", "HGEMM the Hopper way", false},
    {14, "14_attention", "Attention: D is the next A", false},
    {15, "15_sparsity", "Sparsity: two of four, and who says which", false},
    {16, "16_sums", "Sums: what a tensor core cuts off", false},
    {17, "17_tensor_memory", "Tensor memory: D in nobody's registers", false},
    {18, "18_block_scale", "Block scaling: whose byte scales what", false},
};

/// 1 for "01_fragment_layout"; 0 when it is no lesson's name.
int number_of(const std::string& name) {
  const auto digit = [&](std::size_t i) {
    return std::isdigit(static_cast<unsigned char>(name[i])) != 0;
  };
  if (name.size() < 4 || !digit(0) || !digit(1) || name[2] != '_') return 0;
  return (name[0] - '0') * 10 + (name[1] - '0');
}

/// The word behind `key` in the comment that a source opens with; "" when it has none.
std::string word_behind(std::string_view key, const std::string& source) {
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line) && line.compare(0, 2, "//") == 0;) {
    if (line.compare(0, key.size(), key) != 0) continue;
    std::string words;
    std::istringstream(line.substr(key.size())) >> words;
    return words;
  }
  return "";
}

std::string contents_of(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

std::string title_of(const std::string& readme) {
  std::string line = readme.substr(0, readme.find('\n'));
  while (!line.empty() && line.back() == '\r') line.pop_back();
  const std::size_t begin = line.find_first_not_of("# 0123456789");
  return line.empty() || line[0] != '#' || begin == std::string::npos ? "" : line.substr(begin);
}

std::string steps_of(const std::string& lesson_source) {
  return word_behind("//   Steps:", lesson_source);
}

std::string arch_of(const std::string& lesson_source) {
  return word_behind("//   Arch:", lesson_source);
}

std::vector<Lesson> course(const fs::path& lessons_folder) {
  std::vector<Lesson> lessons = kLadder;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(lessons_folder, error)) {
    Lesson lesson{number_of(entry.path().filename().string()), entry.path().filename().string(), "",
                  true};
    if (lesson.number == 0 || !entry.is_directory(error)) continue;
    lesson.title = title_of(contents_of(entry.path() / "README.md"));
    if (const std::string arch = arch_of(contents_of(entry.path() / "lesson.cu")); !arch.empty())
      lesson.arch = arch;
    lessons.erase(std::remove_if(lessons.begin(), lessons.end(),
                                 [&](const Lesson& l) { return l.number == lesson.number; }),
                  lessons.end());
    lessons.push_back(lesson);
  }
  std::sort(lessons.begin(), lessons.end(),
            [](const Lesson& left, const Lesson& right) { return left.number < right.number; });
  return lessons;
}

const Lesson* find(const std::vector<Lesson>& lessons, int number) {
  for (const Lesson& lesson : lessons)
    if (lesson.number == number) return &lesson;
  return nullptr;
}

std::vector<const Lesson*> called(const std::vector<Lesson>& lessons, const std::string& words) {
  std::string part;
  for (const char c : words)
    part +=
        c == ' ' || c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  std::vector<const Lesson*> found;
  if (part.find_first_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos) return found;
  for (const Lesson& lesson : lessons)
    if (lesson.name.find(part) != std::string::npos) found.push_back(&lesson);
  return found;
}

}  // namespace lanescope::guide
