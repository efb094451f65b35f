// SPDX-License-Identifier: MIT
// mma.sync, mma.sp and their block-scaled kinds. The plan of an instruction says where its elements
// are (decode/matrix_plan.hpp); what they give, tensor/ knows.
//
// Source: PTX ISA 9.2, 9.7.14.3, 9.7.14.5.14, 9.7.14.6.3.
#include <fmt/format.h>

#include <array>
#include <cstring>
#include <string>

#include "emulator/execute/handlers.hpp"
#include "emulator/run/warp.hpp"

namespace lanescope::emulator {
namespace {

constexpr std::size_t kRegisterBytes = 4 * kFragmentLanes;
constexpr std::size_t kMostImageBytes = 4 * 4 * kRegisterBytes;  // mma.m8n8k4: C of four matrices
constexpr std::size_t kMostOperandRegisters = 4;

// Register after register of an image.
template <class Pointers>
void point(Pointers& registers, std::byte* image) {
  for (std::size_t k = 0; k < registers.size(); ++k)
    registers[k] = reinterpret_cast<std::uint32_t*>(image + k * kRegisterBytes);
}

// The registers are what the arithmetic takes. D has a place of its own until all is read: its
// registers may be others' too.
void multiply_registers(const MatrixPlan& plan, std::byte* const* rows, Host host) {
  std::array<std::uint32_t*, 16> registers;
  const int operands = plan.A.registers + plan.B.registers + plan.C.registers;
  for (int k = 0; k < operands; ++k)
    registers[static_cast<std::size_t>(k)] =
        reinterpret_cast<std::uint32_t*>(rows[plan.D.registers + k]);
  alignas(64) std::byte image[4 * kRegisterBytes];
  std::array<std::uint32_t*, 4> d;
  point(d, image);
  std::uint32_t* const* a = registers.data();
  std::uint32_t* const* b = a + plan.A.registers;
  multiply_fragments(*plan.arithmetic, plan.shape, {a, b, b + plan.B.registers, d.data()}, host);
  for (int k = 0; k < plan.D.registers; ++k)
    std::memcpy(rows[k], d[static_cast<std::size_t>(k)], kRegisterBytes);
}

// M = 8: the other half of the panel is zero.
void multiply_fragment_images(const MatrixPlan& plan, std::byte* a, std::byte* b, std::byte* c,
                              Host host) {
  TensorShape panel = plan.shape;
  panel.M = kPanelRows;
  std::array<std::uint32_t*, kMostOperandRegisters> a_rows, b_rows, c_rows;
  for (int m = 0; m < plan.matrices; ++m) {
    const auto at = static_cast<std::size_t>(m);
    point(a_rows, a + at * plan.A.image_bytes);
    point(b_rows, b + at * plan.B.image_bytes);
    point(c_rows, c + at * plan.D.image_bytes);
    multiply_fragments(*plan.arithmetic, panel,
                       {a_rows.data(), b_rows.data(), c_rows.data(), c_rows.data()}, host);
  }
}

// Behind the matrices and the metadata: a register and {byte-id, thread-id} a side.
enum ScaleRow : std::uint8_t { kScalesOfA, kByteIdA, kThreadIdA, kScalesOfB, kByteIdB, kThreadIdB };

bool wrong_selectors(Warp& w, int lane, std::string what) {
  fail(w, ErrorCode::illegal_instruction, "mma", lane, std::move(what),
       "byte-id and thread-id are the same in all lanes, and such as the atlas lists");
  return false;
}

// The scale factors of one side; false where the registers hold no selectors, or several.
bool find_scales(Warp& w, const MatrixPlan& plan, const std::uint32_t* rows, char operand,
                 std::uint8_t* scales) {
  const bool of_a = operand == 'S';
  const auto* bytes = row<std::uint32_t>(w, rows[of_a ? kByteIdA : kByteIdB]);
  const auto* threads = row<std::uint32_t>(w, rows[of_a ? kThreadIdA : kThreadIdB]);
  for (int lane = 1; lane < kLanes; ++lane)
    if (bytes[lane] != bytes[0] || threads[lane] != threads[0])
      return wrong_selectors(w, lane,
                             fmt::format("the lanes of the warp give other selectors of {}",
                                         layout::operand_name(operand)));
  const auto byte_id = static_cast<int>(bytes[0]), thread_id = static_cast<int>(threads[0]);
  if (std::string why = selector_problem(*plan.instruction, operand, byte_id, thread_id);
      !why.empty())
    return wrong_selectors(w, 0, std::move(why));
  const auto index = static_cast<std::size_t>(thread_id * ScalePlan::kBytes + byte_id);
  take_scales(of_a ? plan.scales.a[index] : plan.scales.b[index],
              row<std::uint32_t>(w, rows[of_a ? kScalesOfA : kScalesOfB]), scales);
  return true;
}

// Scale factors as they are at most: 16 rows, or 8 columns, of four chunks.
struct Scales {
  std::uint8_t a[64], b[32];
};

void multiply_scaled_images(const MatrixPlan& plan, const Scales& scales, const std::byte* metadata,
                            const std::byte* a, const std::byte* b, std::byte* c) {
  const auto* elements_a = reinterpret_cast<const std::uint8_t*>(a);
  auto* sums = reinterpret_cast<std::uint32_t*>(c);
  if (!plan.sparse.sparse())
    return multiply_scaled(*plan.arithmetic, plan.shape, {plan.scales.type, scales.a, scales.b},
                           elements_a, reinterpret_cast<const std::uint8_t*>(b), sums, sums);
  alignas(64) std::array<std::byte, kMostMetBytes> met;
  TensorShape one_row = plan.shape;
  one_row.M = 1;
  for (int m = 0; m < plan.shape.M; ++m, elements_a += plan.shape.K, sums += plan.shape.N) {
    meet_row(plan.shape, plan.sparse, &metadata, m, b, static_cast<std::size_t>(plan.shape.N),
             met.data());
    multiply_scaled(*plan.arithmetic, one_row,
                    {plan.scales.type, scales.a + m * plan.shape.scale_vectors, scales.b},
                    elements_a, reinterpret_cast<const std::uint8_t*>(met.data()), sums, sums);
  }
}

void multiply_images(const MatrixPlan& plan, std::byte* const* rows, const std::byte* metadata,
                     const Scales& scales, Host host) {
  alignas(64) std::byte a[kMostImageBytes] = {};
  alignas(64) std::byte b[kMostImageBytes] = {};
  alignas(64) std::byte c[kMostImageBytes] = {};
  alignas(64) std::byte narrow[kMostImageBytes] = {};
  std::byte* const* from = rows + plan.D.registers;
  gather(plan.A, from, a);
  from += plan.A.registers;
  gather(plan.B, from, b);
  from += plan.B.registers;
  gather(plan.C, from, plan.widens_c ? narrow : c);
  for (std::size_t m = 0; plan.widens_c && m < static_cast<std::size_t>(plan.matrices); ++m)
    widen_c(plan.shape, narrow + m * plan.C.image_bytes, c + m * plan.D.image_bytes);
  if (plan.shape.scale_vectors > 0)
    multiply_scaled_images(plan, scales, metadata, a, b, c);
  else if (plan.sparse.sparse())
    multiply_sparse(*plan.arithmetic, plan.shape, plan.sparse, &metadata, a, b, c, host);
  else if (plan.image == Image::dense)
    multiply_packed(*plan.arithmetic, plan.shape, a, b, c, c, host);
  else
    multiply_fragment_images(plan, a, b, c, host);
  scatter(plan.D, c, rows);
}

}  // namespace

Flow run_mma(Warp& w, const Instruction& i, std::uint32_t active) {
  if (!whole_warp(w, active)) return Flow::converge;
  w.cta->multiplied = true;
  const Program& program = *w.cta->launch->program;
  const MatrixPlan& plan = program.matrices[static_cast<std::size_t>(i.immediate)];
  std::byte* rows[24];
  const std::uint32_t* list = rows_at(w, i.list);
  const int count = plan.D.registers + plan.A.registers + plan.B.registers + plan.C.registers;
  for (int k = 0; k < count; ++k) rows[k] = w.rows + list[k];
  const std::uint32_t* behind = list + count;
  const std::byte* metadata = plan.sparse.sparse() ? w.rows + *behind++ : nullptr;
  Scales scales;
  if (plan.shape.scale_vectors > 0 && (!find_scales(w, plan, behind, 'S', scales.a) ||
                                       !find_scales(w, plan, behind, 'T', scales.b)))
    return Flow::fault;
  if (plan.image == Image::none)
    multiply_registers(plan, rows, program.host);
  else
    multiply_images(plan, rows, metadata, scales, program.host);
  return Flow::next;
}

}  // namespace lanescope::emulator
