// SPDX-License-Identifier: MIT
// ldmatrix, stmatrix, movmatrix, tcgen05.ld and .st, and where tcgen05.mma leaves D, asked: which
// lane's address serves which row, which lane gets what. Not here: banks and conflicts (banks.hpp).
//
// Source: PTX ISA 9.2, 9.7.14.5.15 to .17; 9.7.16.2.3, 9.7.16.8 and 9.7.16.10.5 (tcgen05).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "layout/instruction.hpp"

namespace lanescope::layout {

/// What lies on the other side of the registers. In tensor memory a row is one of the 128 lanes of
/// that memory (not of the warp) and a column 32 bits, both counted from the address. `result` is D
/// of tcgen05.mma: rows and columns are D's, a "thread" is a lane of tensor memory (of CTA
/// thread / 128 of the pair), a "register" one of its columns.
/// `factors` are scale factors there: SFA[row][chunk], SFB[chunk][col], four to a column.
/// `metadata` is that of tcgen05.mma.sp: E[row][k], the index of a row's kept element (or pair) k.
enum class MoverMemory { shared, registers, tensor, result, factors, metadata };

/// Where D[row][col] of tcgen05.mma lies, as C++ over `row` and `col`.
struct ResultRules {
  std::string cta, lane, column;
};

struct Mover {
  std::string mnemonic;  // with .shared, as the compiler writes it
  MoverMemory memory = MoverMemory::shared;
  std::string_view family;
  Fragment registers;         // rows and columns of the stored matrices; `matrix` says which
  Fragment source_registers;  // movmatrix only: where the source has its elements
  std::string_view source, ptx, target;
  Standing standing = Standing::specified;
  std::string_view note;
  ResultRules rules;  // of a result, of factors, of metadata

  /// A "thread" is a lane of tensor memory, a "register" a column of it.
  bool in_tensor_lanes() const { return memory == MoverMemory::result || feeds_product(); }
  /// tcgen05.mma finds it there, besides A: some of it several times.
  bool feeds_product() const {
    return memory == MoverMemory::factors || memory == MoverMemory::metadata;
  }
  /// "lane", "thread", and what they are called where they are lanes of tensor memory.
  std::string holder_name(int thread) const;
  /// "r5"; of tensor memory "column 5".
  std::string place_name(int register_index) const;

  /// Which row of which stored matrix the address of `lane` points at; nothing when it is unused.
  std::optional<Element> addressed_row(int lane) const {
    if (memory != MoverMemory::shared) return std::nullopt;
    const int rows = registers.rows;
    if (lane < 0 || lane >= registers.matrices * rows) return std::nullopt;
    return Element{lane % rows, 0, lane / rows};
  }
};

std::span<const Mover> movers();

/// By name; .shared and .shared::cta may be left out, the qualifiers be in another order.
/// tcgen05.ld.red is its tcgen05.ld, which has the same registers but for the one of the reduction.
const Mover* find_mover(std::string_view mnemonic);

/// What a fragment of a trace may name: an instruction; or D of tcgen05.mma in the tensor memory of
/// one CTA, as an instruction that holds nothing else and whose K is not known (0). Its "threads"
/// are the 128 lanes, as .32x32b gives each to a thread of a warpgroup, its registers columns.
const Instruction* find_recorded(std::string_view mnemonic);

/// Which places are asked for; what is not said is not restricted.
struct MoverSelection {
  std::optional<int> thread, register_index;
  std::optional<Element> element;
  bool whole() const { return !thread && !register_index && !element; }
};

/// side,thread,value,register,bit,matrix,row,col: side `addr` is the row a lane's address points at
/// (its first column; value, register and bit are 0), side `reg` an element in a register, side
/// `src` (movmatrix) one in the source register.
std::string csv(const Mover& mover, const MoverSelection& selection = {});
std::string json(const Mover& mover, const MoverSelection& selection = {});
std::string markdown(const Mover& mover, const MoverSelection& selection = {});
std::string picture(const Mover& mover, int width = 0);  // as picture.hpp's

/// Who holds an element, or what a lane holds (in one register or in all): a line each.
std::vector<std::string> who_holds(const Mover& mover, const Element& element);
std::vector<std::string> what_holds(const Mover& mover, int thread,
                                    std::optional<int> register_index);
/// Of a result: the blocks of D that lie in a piece in tensor memory, a line each.
std::vector<std::string> result_blocks(const Mover& mover);
/// Of factors: which rows of A, or columns of B, lie where, a line each.
std::vector<std::string> factor_lines(const Mover& mover);

/// What lies where in tensor memory, whichever of the three it is: result_blocks(), factor_lines(),
/// or the rows of A whose metadata lies there.
std::vector<std::string> tensor_memory_lines(const Mover& mover);

}  // namespace lanescope::layout
