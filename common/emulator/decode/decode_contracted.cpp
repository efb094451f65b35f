// SPDX-License-Identifier: MIT
// Where ptxas does not do what is written, but the same otherwise rounded: a sum takes a product in
// (contract.hpp finds which), a quotient by a number is a product, a result that is known
// beforehand (known_numbers.hpp) is a constant.
#include "emulator/decode/decode.hpp"
#include "emulator/ptxas/known_values.hpp"
#include "numeric/approximate.hpp"
#include "numeric/nearest.hpp"

namespace lanescope::emulator {
namespace {

std::uint32_t scaled_divisor(std::uint32_t divisor, bool full, bool flushes) {
  namespace approximate = numeric::approximate;
  if (!full) return flushes ? divisor : approximate::scaled_divisor<false, false>(divisor);
  return flushes ? approximate::scaled_divisor<true, true>(divisor)
                 : approximate::scaled_divisor<true, false>(divisor);
}

}  // namespace

const Contraction* Decoder::contraction() const {
  if (contractions_.of.empty()) return nullptr;
  const auto index = static_cast<std::size_t>(statement_ - parsed_.statements.data());
  return contractions_.of[index].product < 0 ? nullptr : &contractions_.of[index];
}

// Sums need the factors of a product as they were; those of a quotient have no register at all.
void Decoder::keep_factors(Operation operation, Type type) {
  if (contractions_.lost_factors.empty()) return;
  const auto index = static_cast<std::size_t>(statement_ - parsed_.statements.data());
  for (const std::size_t k : {std::size_t{1}, std::size_t{2}}) {
    if ((contractions_.lost_factors[index] & k) == 0) continue;
    Instruction keeps;
    keeps.guard = made_.guard;
    keeps.d = new_row(8 * kLanes);
    if (operation == Operation::mul) {
      keeps.a = source(operand(k), type);
      keeps.bytes = static_cast<std::uint8_t>(info(type).bits == 64 ? 8 : 4);
      keeps.handler = &run_keep;
    } else {
      keeps.a = source(operand(1), type);
      keeps.b = source(operand(operation == Operation::div ? 2 : 1), type);
      keeps.handler =
          handlers().real(k == 1 ? Operation::dividend : Operation::divisor, type,
                          operation == Operation::rcp
                              ? static_cast<std::uint16_t>(made_.detail | FloatMode::kReciprocal)
                              : made_.detail);
    }
    kept_[{static_cast<std::int32_t>(index), static_cast<int>(k)}] = keeps.d;
    before_.push_back(keeps);
  }
}
std::uint32_t Decoder::factor(std::int32_t product, int k, Type type) {
  if (const auto kept = kept_.find({product, k}); kept != kept_.end()) return kept->second;
  const PtxStatement& statement = parsed_.statements[static_cast<std::size_t>(product)];
  return source(statement.operands[static_cast<std::size_t>(k)], type);
}

// A sum that takes a product in: the product's factors, and the other operand.
void Decoder::contracted(Operation sum, Type type, const Contraction& contraction) {
  const bool first = contraction.operand == 1, subtracts = sum == Operation::sub;
  made_.d = destination(operand(0), type);
  made_.a = factor(contraction.product, 1, type);
  made_.b = factor(contraction.product, 2, type);
  made_.c = source(operand(first ? 2 : 1), type);
  made_.detail = float_mode();
  const bool minus_product = contraction.negated != (subtracts && !first);
  const bool minus_other = subtracts && first;
  const Operation fused = minus_product
                              ? (minus_other ? Operation::minus_fma_minus : Operation::minus_fma)
                              : (minus_other ? Operation::fma_minus : Operation::fma);
  set(handlers().real(fused, unit_of(type), made_.detail));
  if (type == Type::f32x2) on_both_halves();
}

const ContractedMma* Decoder::contracted_mma() const {
  const auto index = static_cast<std::int32_t>(statement_ - parsed_.statements.data());
  const auto found = contractions_.of_mma.find(index);
  return found == contractions_.of_mma.end() ? nullptr : &found->second;
}

// The rows of an mma: where a product is added to its sum, C is zero at first.
void Decoder::leave_out_products(std::uint32_t* c) {
  const ContractedMma* found = contracted_mma();
  if (found == nullptr) return;
  for (std::size_t k = 0; k < found->size(); ++k)
    if ((*found)[k].product >= 0) c[k] = constant(0, 4);
}
// Then D is the sum that the product's fma adds.
void Decoder::add_products(const std::uint32_t* d, Type type) {
  const ContractedMma* found = contracted_mma();
  if (found == nullptr) return;
  for (std::size_t k = 0; k < found->size(); ++k) {
    const Contraction& contraction = (*found)[k];
    if (contraction.product < 0) continue;
    next_part();
    made_.d = made_.c = d[k];
    made_.a = factor(contraction.product, 1, type);
    made_.b = factor(contraction.product, 2, type);
    const Operation fused = contraction.negated ? Operation::minus_fma : Operation::fma;
    set(handlers().real(fused, type, made_.detail));
  }
  if (!parts_.empty()) composite();
}

void Decoder::known_result(std::uint32_t bits) {
  float_mode();
  made_.a = constant(bits, 4);
  made_.bytes = 4;
  set(&run_keep);
}

// By a number: ptxas has its reciprocal, and multiplies.
bool Decoder::known_quotient(Type type) {
  if (!is_approximate(*statement_)) return false;
  const auto divisor = known_.of(*statement_, 2);
  const bool full = (made_.detail & FloatMode::kFull) != 0;
  const bool flushes = (made_.detail & FloatMode::kFtz) != 0;
  const auto reciprocal =
      divisor ? numeric::nearest::reciprocal(scaled_divisor(*divisor, full, flushes)) : divisor;
  if (!reciprocal) return false;
  Instruction dividend;
  dividend.guard = made_.guard;
  dividend.d = new_row(8 * kLanes);
  dividend.a = made_.a;
  dividend.b = made_.b;
  dividend.handler = handlers().real(Operation::dividend, type, made_.detail);
  before_.push_back(dividend);
  made_.a = dividend.d;
  made_.b = constant(*reciprocal, 4);
  if (!contractions_.lost_factors.empty()) {
    const auto index = static_cast<std::int32_t>(statement_ - parsed_.statements.data());
    kept_[{index, 1}] = made_.a;
    kept_[{index, 2}] = made_.b;
  }
  made_.detail = flushes ? FloatMode::kFtz : std::uint16_t{0};
  set(handlers().real(Operation::mul, type, made_.detail));
  return true;
}

}  // namespace lanescope::emulator
