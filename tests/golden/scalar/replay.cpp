// SPDX-License-Identifier: MIT
#include "tests/golden/scalar/replay.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "tests/golden/scalar/operands.hpp"
#include "tests/golden/unpack.hpp"

namespace lanescope::golden::scalar {
namespace {

constexpr std::size_t kMostTuples = 65536, kFormsOfModule = 128;

}  // namespace

// "HASH TUPLES FORM" behind lines of provenance.
Recording read_recording(const std::string& file) {
  const Unpacked packed = unpacked(LANESCOPE_SOURCE_DIR "/tests/golden/scalar/" + file);
  REQUIRE_MESSAGE(packed.problem.empty(), packed.problem);
  const std::string& text = packed.bytes;
  Recording recording;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    if (line.rfind("# ", 0) == 0) {
      recording.provenance.push_back(line.substr(2));
      continue;
    }
    const std::size_t blank = line.find(' ', 17);
    REQUIRE_MESSAGE((line.size() > 20 && line[16] == ' ' && blank != std::string::npos), line);
    Recorded made;
    made.hash = std::strtoull(line.c_str(), nullptr, 16);
    made.form = parse(line.substr(blank + 1));
    REQUIRE_MESSAGE(made.form.tuples == std::atoi(line.c_str() + 17), line);
    recording.forms.push_back(std::move(made));
  }
  return recording;
}

Replay::Replay(emulator::Host host) : machine_({.arch = "sm_90a", .host = host}) {
  out_ = machine_.allocate(kMostTuples * 8 * kMaxSources).value;
  scratch_ = machine_.allocate(kMostTuples * kScratchBytes).value;
}

std::uint64_t Replay::column_of(Kind kind, int place) {
  std::uint64_t& address = columns_[{kind, place}];
  if (address == 0) {
    const std::vector<std::uint64_t> words = column(kind, place);
    address = machine_.allocate(words.size() * 8).value;
    std::memcpy(reinterpret_cast<void*>(address), words.data(), words.size() * 8);
  }
  return address;
}

std::uint64_t Replay::launch(const Form& form, const emulator::Kernel* kernel) {
  const std::size_t words = static_cast<std::size_t>(form.tuples) * form.results.size();
  std::memset(reinterpret_cast<void*>(out_), 0, words * 8);
  std::array<std::byte, (2 + kMaxSources) * 8 + kBlobBytes> parameters{};
  const auto put = [&](std::size_t index, std::uint64_t address) {
    std::memcpy(parameters.data() + index * 8, &address, 8);
  };
  put(0, out_);
  put(1, scratch_);
  for (std::size_t n = 0; n < form.sources.size(); ++n)
    put(2 + n, column_of(form.sources[n], static_cast<int>(n)));
  for (int n = 0; n < kBlobBytes; ++n)
    parameters[static_cast<std::size_t>((2 + kMaxSources) * 8 + n)] =
        static_cast<std::byte>(blob_byte(n));
  const Grid size = grid(form);
  emulator::LaunchRequest request;
  request.kernel = kernel;
  request.grid = {static_cast<int>(size.columns), static_cast<int>(size.rows),
                  static_cast<int>(size.layers)};
  request.block = {32, 2, 2};
  request.parameters = parameters;
  const emulator::LaunchReport report = machine_.launch(request);
  if (report.error) {
    why.push_back(report.error.message);
    return 0;
  }
  Hash hash;
  const auto* out = reinterpret_cast<const std::uint64_t*>(out_);
  for (std::size_t n = 0; n < words; ++n) hash.add(out[n]);
  return hash.value;
}

std::vector<std::uint64_t> Replay::run(const std::vector<const Form*>& forms) {
  std::vector<std::uint64_t> hashes;
  for (std::size_t from = 0; from < forms.size(); from += kFormsOfModule) {
    const std::size_t end = std::min(from + kFormsOfModule, forms.size());
    std::string text = module_head();
    for (std::size_t n = from; n < end; ++n) text += kernel(*forms[n], "f" + std::to_string(n));
    const auto module = machine_.load(text, "scalar");
    REQUIRE_MESSAGE(module.ok(), module.error.message);
    for (std::size_t n = from; n < end; ++n)
      hashes.push_back(
          launch(*forms[n], machine_.find_kernel(module.value, "f" + std::to_string(n))));
    REQUIRE_FALSE(machine_.unload(module.value));
  }
  return hashes;
}

}  // namespace lanescope::golden::scalar
