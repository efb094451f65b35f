// SPDX-License-Identifier: MIT
// Runs operations on ggml's CUDA backend, which is what llama.cpp computes with, and prints a hash
// of the bits of each result:
//
//     ggml SEED [NAME]             all of them, or one
//     ggml SEED FIRST COUNT        the operations from number FIRST on, COUNT of them
//
// On a card or on the emulator: `compare.sh` says how.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "cases.hpp"

namespace {

/// The constants are Knuth's MMIX generator.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}
  double between(double low, double high) {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return low + (high - low) * (static_cast<double>(state_ >> 33) / 2147483648.0);
  }

 private:
  std::uint64_t state_;
};

template <class T>
std::vector<std::uint8_t> bytes_of(const std::vector<T>& values) {
  std::vector<std::uint8_t> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <class T>
std::vector<std::uint8_t> counted(std::int64_t count, double most) {
  std::vector<T> values;
  for (std::int64_t k = 0; k < count; ++k)
    values.push_back(static_cast<T>(k % static_cast<std::int64_t>(most)));
  return bytes_of(values);
}

std::vector<std::uint8_t> content(const Input& input, Numbers& numbers) {
  const std::int64_t count = ggml_nelements(input.tensor);
  if (input.type == kI32) return counted<std::int32_t>(count, input.high);
  if (input.type == kI64) return counted<std::int64_t>(count, input.high);
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values) value = static_cast<float>(numbers.between(input.low, input.high));
  if (input.kind == Input::mask)
    for (float& value : values)
      value = value > 0.3f ? -std::numeric_limits<float>::infinity() : 0.0f;
  if (input.type == kF32) return bytes_of(values);
  std::vector<std::uint8_t> bytes(ggml_nbytes(input.tensor));
  auto* halves = reinterpret_cast<std::uint16_t*>(bytes.data());
  if (input.type == kF16) {
    ggml_fp32_to_fp16_row(values.data(), halves, count);
  } else if (input.type == kBF16) {
    ggml_fp32_to_bf16_row(values.data(), halves, count);
  } else {  // blocks of 32 or of 256 numbers: every row here is made of whole ones
    constexpr std::int64_t kRow = 256;
    ggml_quantize_chunk(input.type, values.data(), bytes.data(), 0, count / kRow, kRow, nullptr);
  }
  return bytes;
}

/// False where the backend does not have the operation.
bool run(const Case& one, Backend backend, std::uint64_t seed) {
  Context context = ggml_init({std::size_t{64} << 20, nullptr, true});
  Inputs inputs(context);
  const Tensor result = one.make(inputs);
  const bool supported = ggml_backend_supports_op(backend, result);
  if (supported) {
    void* graph = ggml_new_graph(context);
    ggml_build_forward_expand(graph, result);
    void* buffer = ggml_backend_alloc_ctx_tensors(context, backend);
    Numbers numbers(seed);
    for (const Input& input : inputs.all) {
      const std::vector<std::uint8_t> bytes = content(input, numbers);
      ggml_backend_tensor_set(input.tensor, bytes.data(), 0, bytes.size());
    }
    if (ggml_backend_graph_compute(backend, graph) != 0) std::exit(1);
    std::vector<std::uint8_t> bits(ggml_nbytes(result));
    ggml_backend_tensor_get(result, bits.data(), 0, bits.size());
    std::uint64_t hash = 14695981039346656037ull;  // FNV-1a
    for (const std::uint8_t byte : bits) hash = (hash ^ byte) * 1099511628211ull;
    std::printf("%llu %s: %016llx\n", static_cast<unsigned long long>(seed), one.name.c_str(),
                static_cast<unsigned long long>(hash));
    std::fflush(stdout);
    ggml_backend_buffer_free(buffer);
  }
  ggml_free(context);
  return supported;
}

}  // namespace

int main(int count, char** words) {
  if (count < 2 || count > 4)
    return std::fprintf(stderr, "ggml SEED [NAME], or ggml SEED FIRST COUNT\n"), 2;
  const std::uint64_t seed = std::strtoull(words[1], nullptr, 10);
  const std::vector<Case> cases = all_cases();
  const std::size_t first = count == 4 ? std::strtoull(words[2], nullptr, 10) : 0;
  const std::size_t most = count == 4 ? std::strtoull(words[3], nullptr, 10) : cases.size();
  Backend backend = ggml_backend_cuda_init(0);
  if (backend == nullptr) return std::fprintf(stderr, "ggml has no CUDA device\n"), 2;
  int missing = 0;
  for (std::size_t k = first; k < cases.size() && k - first < most; ++k)
    if (count != 3 || cases[k].name == words[2]) missing += run(cases[k], backend, seed) ? 0 : 1;
  std::fprintf(stderr, "%d of %zu operations are not in this backend\n", missing, cases.size());
  return 0;
}
