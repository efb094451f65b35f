// SPDX-License-Identifier: MIT
// Decoding atomics on one word. Those on vectors and on 128 bits are in decode_rare.cpp.
//
// Source: PTX ISA 9.2, 9.7.13.5 (atom), 9.7.13.7 (red).
#include "emulator/decode/decode.hpp"
#include "emulator/execute/atomic.hpp"

namespace lanescope::emulator {

// atom and red: d, [a], b, (c).
void Decoder::atomic() {
  const bool returns = statement_->opcode == "atom";
  if (take("async")) return returns ? refuse_form() : async_reduction();
  take_cache_hints();
  take("noftz");
  const bool hinted = take("L2::cache_hint");
  const Space named = take_space(Space::generic);
  AtomicOperation operation = AtomicOperation::add;
  bool found = false;
  for (const AtomicName& entry : kAtomics) {
    if (!take(entry.name)) continue;
    operation = entry.operation;
    found = true;
  }
  if (!found) refuse_form();
  const int vector = take_vector();
  const Type type = take_type();
  const bool swaps = operation == AtomicOperation::cas;
  const std::size_t count = (returns ? 1u : 0u) + 2u + (swaps ? 1u : 0u);
  operands(count + (hinted ? 1 : 0), count + (hinted ? 1 : 0));
  if (type == Type::b128) {
    if (!returns || (!swaps && operation != AtomicOperation::exch)) refuse_form();
    return wide_atomic(swaps, named);
  }
  if (vector > 1) {
    // A generic address is one of global memory, as the ISA has it of vectors.
    if (named != Space::global && named != Space::generic) refuse_form();
    return vector_atomic(operation, type, static_cast<std::size_t>(vector), returns);
  }
  std::size_t at = 0;
  made_.d = returns ? destination(operand(at++), type) : kNoRow;
  address(operand(at++));
  made_.b = source(operand(at++), type);
  if (swaps) made_.c = source(operand(at++), type);
  made_.space = named;
  made_.bytes = static_cast<std::uint8_t>(bytes_of(type));
  made_.detail = 1;
  made_.count = static_cast<std::uint16_t>(operation);
  made_.target = static_cast<std::uint32_t>(type);
  const bool by_size = operation == AtomicOperation::min || operation == AtomicOperation::max;
  if (!atomic_exists(operation, type) || (by_size && is_real(type))) refuse_form();
  if (named != Space::shared) function_.is_ordered = true;
  set(&run_atomic);
}

}  // namespace lanescope::emulator
