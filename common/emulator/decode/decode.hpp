// SPDX-License-Identifier: MIT
// From parsed PTX to a Program: every statement becomes one instruction, its operands rows of a
// frame, its modifiers a handler.
//
// Nothing is ignored by accident: a modifier must be taken by the rule for its opcode, and what is
// left over at the end is refused by name.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "emulator/decode/program.hpp"
#include "emulator/execute/atomic.hpp"
#include "emulator/execute/builtin.hpp"
#include "emulator/execute/handlers.hpp"
#include "emulator/ptx/ptx_lexer.hpp"
#include "emulator/ptxas/contract.hpp"
#include "emulator/ptxas/known_numbers.hpp"

namespace lanescope::emulator {

/// What a register takes of a lane; one of 128 bits is two rows of 64.
inline std::uint32_t lane_bytes_of(Type type) {
  return info(type).bits == 128 ? 16 : info(type).bits == 64 ? 8 : 4;
}
inline constexpr std::int64_t up_to(std::int64_t value, std::int64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

/// What an operation on `type` is told of: f32, of each half of an f32x2.
constexpr Type unit_of(Type type) { return type == Type::f32x2 ? Type::f32 : type; }

/// Opcodes with modifiers, as written, of which it is known that they go together: a module has
/// few, and many statements of each.
using KnownForms = std::unordered_set<std::string_view>;

/// Decodes one function. The rules for the opcodes are in decode_*.cpp.
class Decoder {
 public:
  Decoder(Program& program, Function& function, std::string_view arch, KnownForms& forms);
  void run();
  /// All that there are rules for.
  static std::vector<std::string_view> opcodes();

 private:
  using Rule = void (Decoder::*)();
  static const std::unordered_map<std::string_view, Rule>& rules();
  static Rule find_rule(std::string_view opcode);
  void place_registers();
  void take_guard(std::uint32_t always);
  Rule rule_of_statement() const;
  void decode_statement();

  // Modifiers of the statement at hand.
  bool take(std::string_view modifier);
  Type take_type();
  int take_vector();
  Space take_space(Space otherwise);
  void take_cache_hints();
  std::string_view take_any(std::initializer_list<std::string_view> choices);
  [[noreturn]] void refuse(const std::string& what,
                           ErrorCode code = ErrorCode::unsupported_instruction) const;
  [[noreturn]] void refuse_form() const;
  void check_target(const std::string& needed) const;
  void check_form() const;

  // Operands.
  const PtxOperand& operand(std::size_t index) const;
  void operands(std::size_t least, std::size_t most) const;
  std::uint32_t source(const PtxOperand& operand, Type type);
  std::uint32_t destination(const PtxOperand& operand, Type type);
  std::uint32_t any_source(const PtxOperand& operand, Type type, int& register_bits);
  std::uint32_t predicate_source(const PtxOperand& operand, std::uint32_t& flip);
  std::uint32_t predicate_destination(const PtxOperand& operand);
  void check_type(const PtxOperand& operand, Type type) const;
  bool goes_in_list(const PtxOperand& operand, Type type) const;
  TypeKind kind_of(int reg) const;
  void number_within(const PtxOperand& operand, std::int64_t least, std::int64_t most,
                     std::string_view what) const;
  void check_literal(const PtxOperand& operand, Type type) const;
  void check_special(std::string_view name, Type type) const;
  void check_bf16_sizes(Type to, Type from) const;
  Type list_type(const std::vector<const PtxOperand*>& parts) const;
  void check_fragment(const layout::Fragment& fragment,
                      const std::vector<const PtxOperand*>& parts) const;
  void check_spaces() const;
  void check_space(const PtxOperand& name, Space addressed) const;
  void check_bare_name(const PtxOperand& name) const;
  std::uint32_t register_row(int reg) const;
  int register_bits(int reg) const;
  std::uint32_t constant(std::uint64_t value, int lane_bytes);
  using FilledRows = std::map<std::pair<std::uint64_t, int>, std::uint32_t>;
  std::uint32_t filled_row(std::vector<Function::ConstantRow>& rows, FilledRows& known,
                           std::uint64_t value, int lane_bytes);
  std::uint32_t special(std::string_view name, Type type);
  std::uint32_t clock(std::string_view name, bool wide);
  std::uint32_t explicit_cluster();
  std::uint32_t special_row(Special special, bool wide);
  std::uint32_t scratch(Type type);
  std::uint32_t new_row(std::uint32_t bytes);
  std::uint64_t literal(const PtxOperand& operand, Type type) const;
  std::int64_t integer(const PtxOperand& operand) const;
  void address(const PtxOperand& operand);
  std::uint32_t list(const std::vector<std::uint32_t>& rows);
  std::vector<const PtxOperand*> items(const PtxOperand& operand) const;
  std::uint16_t float_mode();
  // mul and add that are one fma (contract.hpp).
  const Contraction* contraction() const;
  void keep_factors(Operation operation, Type type);
  std::uint32_t factor(std::int32_t product, int k, Type type);
  void contracted(Operation sum, Type type, const Contraction& contraction);
  const ContractedMma* contracted_mma() const;
  void leave_out_products(std::uint32_t* c);
  void add_products(const std::uint32_t* d, Type type);
  // Approximate functions of numbers that ptxas knows (known_numbers.hpp).
  void known_result(std::uint32_t bits);
  bool known_quotient(Type type);

  // Rules, by file.
  void arithmetic();
  void multiply();
  void multiply24(std::string_view half, Type type, bool adds);
  void multiply_wide(Type type, bool adds);
  void shift();
  void funnel_shift();
  void bit_field();
  void bit_mask();
  void select_by_sign();
  void predicate_logic(Operation operation);
  void round_bf16(Type type);
  void saturating(Operation operation);
  Comparison take_comparison();
  void find_bit();
  void permute();
  void lop3();
  void dot_product();
  void testp();
  void next_part();
  void composite();
  void narrow_source();
  void only_a_rounding_and(std::string_view word);
  void pair_of_floats();
  void on_both_halves();
  void extreme_of_three(Operation operation);
  void bulk_store();
  void convert_stochastically();
  void launch_control();
  void cancel_another();
  void ask_cancelled();
  bool is_mixed() const;
  void mixed_sum(Operation operation, int sources);
  void compare_sources(Comparison comparison, std::string_view combination, bool flush, Type type);
  void compare_and_combine(Comparison comparison, std::string_view combination, bool flush, Type to,
                           Type type);
  void lop3_predicate(bool is_or);
  void vector_atomic(AtomicOperation operation, Type type, std::size_t count, bool returns);
  void select();
  void compare();
  void compare_to_value();
  void move();
  std::uint32_t parameter_address(const PtxOperand& parameter, int lane_bytes);
  void element(Type type);
  void convert();
  void load();
  void store();
  void load_or_store(bool stores);
  void cvta();
  void isspacep();
  void prefetch();
  void branch();
  void call();
  void pointer_call(const PtxOperand& callee, const std::vector<const PtxOperand*>& arguments,
                    const std::vector<const PtxOperand*>& returns);
  void indexed_branch();
  void stack();
  void leave();
  void trap();
  void barrier();
  void warp_barrier();
  void fence();
  void shuffle();
  void vote();
  void match();
  void activemask();
  void reduce_warp();
  void elect();
  void atomic();
  void matrix_load();
  void matrix_store();
  void matrix_move();
  void async_copy();
  void note_hinted_copy();
  void mma();
  void check_mma_target(const layout::Instruction& entry) const;
  std::vector<std::uint32_t> fragment_rows(const layout::Instruction& entry);
  void scale_rows(const layout::Instruction& entry, char side, std::size_t first,
                  std::vector<std::uint32_t>& rows);
  void nanosleep();
  void mbarrier();
  void mbarrier_arrive(std::string_view what);
  void async_arrive();
  RowAddress row_address(const PtxOperand& operand);
  void bulk_copy(bool reduces);
  int tensor_rank();
  void bulk_direction(BulkPlan& plan, bool signals);
  void bulk_reduction(BulkPlan& plan);
  void bulk_operands(BulkPlan& plan, bool signals, bool multicast, bool hinted, bool masked);
  void tensor_coordinates(BulkPlan& plan, const PtxOperand& side);
  void im2col_offsets(BulkPlan& plan, const PtxOperand& operand);
  void bulk_prefetch(BulkPlan& plan);
  std::uint32_t mask_row(const PtxOperand& operand);
  void map_address();
  void cta_rank();
  void cluster_barrier();
  void set_registers();
  void create_policy();
  bool takes_priorities();
  void policy_fraction(const PtxOperand& operand);
  void policy_range();
  void grid_dependency();
  void wgmma();
  void wgmma_multiply();
  std::uint32_t wgmma_registers(const std::vector<const PtxOperand*>& parts, int count,
                                bool written);
  void wgmma_immediates(WgmmaPlan& plan, std::size_t first);
  bool spills_accumulators() const;
  void tcgen05();
  void tensor_move(bool loads);
  std::optional<Tcgen05Plan::Reduction> take_reduction();
  void tensor_multiply();
  int take_scale_vectors(layout::Tcgen05Kind kind);
  int take_input_scale(layout::Tcgen05Kind kind, const PtxOperand& operand);
  void tensor_commit();
  void tensor_copy();
  void keep(Tcgen05Plan plan);
  void watch_accumulators();
  void texture();
  void surface();
  void surface_sum();
  void surface_boundary(TexturePlan& plan);
  void texture_query();
  void texture_object(const PtxOperand& object);
  void texture_shape(TexturePlan& plan);
  void texture_place(const PtxOperand& where, TexturePlan& plan, Type type);
  void texture_texels(TexturePlan& plan, Type type);
  std::size_t texture_level(TexturePlan& plan, Type coordinate);
  void texture_shift(TexturePlan& plan, const PtxOperand& operand);
  void keep(const TexturePlan& plan);
  void compare_pair(Comparison comparison, std::string_view combination, bool flush, Type to,
                    Type type);
  void convert_pack();
  void find_nth_set();
  void relu(Operation operation, Type type);
  void out_of_bounds_fma(Type type);
  std::uint32_t wide_row(const PtxOperand& operand);
  void wide_move();
  void move_quads();
  void vector_move(Type type, std::size_t count);
  void wide_atomic(bool swaps, Space space);
  void signal_bytes(const PtxOperand& destination, const PtxOperand& barrier, int bytes);
  void async_store();
  void take_global_release();
  void async_reduction();
  void tensor_map();
  void tensor_map_copy();
  void hint();
  void video();
  bool video_type();
  void video_operands(VideoPlan& plan);
  void wmma();
  WmmaShape take_wmma_shape();
  void wmma_registers(const PtxOperand& operand, const WmmaOperand& plan, bool written,
                      std::vector<std::uint32_t>& rows);
  void wmma_transfer(WmmaPlan& plan);
  void wmma_multiply(WmmaPlan& plan);

  void three(Operation operation, Type type, int sources);
  void set(Handler handler);
  const HandlerSet& handlers() const { return emulator::handlers(program_.host); }
  void builtin_call(Builtin builtin, const std::vector<const PtxOperand*>& arguments,
                    const std::vector<const PtxOperand*>& returns);
  void runtime_call(int function, const std::vector<const PtxOperand*>& arguments,
                    const std::vector<const PtxOperand*>& returns);
  std::int64_t parameter_offset(const PtxOperand& operand) const;
  std::vector<Call::Copy> copies(const std::vector<const PtxOperand*>& actual,
                                 const std::vector<int>& formal) const;
  std::uint16_t parameter_block(const PtxOperand& base) const;
  const PtxVariable& variable_of(const PtxOperand& operand) const;
  void pack(Type type);
  void transfer(const PtxOperand& registers, const PtxOperand& where, Space space, Type type,
                int count, bool is_store);
  void matrix_form();
  void byte_matrix_form();
  void stored_bytes_form();
  void matrix_registers(const PtxOperand& operand, bool is_store);

  Program& program_;
  Function& function_;
  const PtxFunction& parsed_;
  std::string_view arch_;
  KnownForms& forms_;
  const PtxStatement* statement_ = nullptr;
  std::vector<std::string_view> modifiers_;  // not taken yet
  Instruction made_;
  std::vector<Instruction> parts_;   // of a composite, before made_
  std::vector<Instruction> before_;  // what operands need to be done first
  FilledRows constants_, locals_, shared_;
  std::map<std::pair<std::string, bool>, std::uint32_t> specials_;
  std::uint32_t scratch_ = kNoRow;
  KnownNumbers known_;
  Contractions contractions_;
  std::map<std::pair<std::int32_t, int>, std::uint32_t> kept_;  // factors, by product
  std::set<std::uint32_t> accumulators_;                        // rows that some wgmma writes
  // what the mnemonic decides, with or without .satfinite: kernels have the same ones hundreds of
  // times, with 64 x 256 places to compare with the atlas
  std::map<std::pair<const layout::Instruction*, bool>, WgmmaPlan> wgmma_plans_;
};

}  // namespace lanescope::emulator
