// SPDX-License-Identifier: MIT
// ldmatrix, stmatrix, movmatrix, tcgen05.ld, tcgen05.st: which lane gets which stored element. Pure
// data.
//
//   stored matrix      ldmatrix m8n8: lane 4r+t gets       .trans: lane 4c+t gets
//   row 0  0 1 2 ... 7   row r, columns 2t and 2t+1          column c, rows 2t and 2t+1
//   row 1  ...
//   ...                each row is 16 bytes somewhere in shared memory; lane 8j+r hands in the
//   row 7              address of row r of matrix j
//
// Rows and columns are always those of the matrix as it lies in memory (for movmatrix: as it lies
// in the source registers). Source: PTX ISA 9.2, 9.7.14.5.15 to .17, figures 104 to 110. The order
// of the 8-bit .trans forms is in figures 105 and 108 only; that m16n16 takes 16 addresses a matrix
// (lanes 0-15, with .x2 0-31) is not said at all: the address table is that of 8-row matrices.
#pragma once

#include <array>

#include "layout/instruction.hpp"
#include "layout/table_line.hpp"

namespace lanescope::layout {

struct MoverLine {
  std::string_view family;
  std::string_view shape;  // ".m8n8"
  std::string_view trans;  // "" or ".trans"
  std::string_view types;  // ".b16"
  ElementType element;
  int container_bits;         // in the register
  int rows, cols;             // of one stored matrix
  std::array<int, 3> counts;  // .x1, .x2, .x4; 0: not allowed
  Map map;                    // without the matrix bits, which come last
  std::string_view ptx, target, source;
  Standing standing;
};

inline constexpr Map kRowsOf16{{col(2), col(4), row(1), row(2), row(4)}, {col(1)}};
inline constexpr Map kColumnsOf16{{row(2), row(4), col(1), col(2), col(4)}, {row(1)}};
inline constexpr Map kRowsOf8{{col(4), col(8), row(1), row(2), row(4)}, {col(1), col(2)}};
inline constexpr Map kColumnsOf8{{row(4), row(8), col(1), col(2), col(4)},
                                 {row(1), row(2), col(8)}};
inline constexpr Map kStoredColumnsOf8{{row(2), row(4), col(1), col(2), col(4)}, {row(1), col(8)}};

inline constexpr std::string_view kByteTargets = "sm_100a sm_110a sm_120a";
inline constexpr std::string_view kLdmatrix = "PTX ISA 9.2, 9.7.14.5.15";
inline constexpr std::string_view kStmatrix = "PTX ISA 9.2, 9.7.14.5.16";

// clang-format off
inline constexpr std::array kMoverLines{
    MoverLine{"ldmatrix", ".m8n8", "", ".b16", ElementType::b16, 16, 8, 8, {1, 2, 4}, kRowsOf16,
              "6.5", "sm_75", kLdmatrix, Standing::specified},
    MoverLine{"ldmatrix", ".m8n8", ".trans", ".b16", ElementType::b16, 16, 8, 8, {1, 2, 4},
              kColumnsOf16, "6.5", "sm_75", kLdmatrix, Standing::specified},
    MoverLine{"ldmatrix", ".m16n16", ".trans", ".b8", ElementType::b8, 8, 16, 16, {1, 2, 0},
              kColumnsOf8, "8.6", kByteTargets, kLdmatrix, Standing::derived},
    MoverLine{"ldmatrix", ".m16n16", ".trans", ".b8x16.b6x16_p32", ElementType::b6, 8, 16, 16,
              {1, 2, 0}, kColumnsOf8, "8.6", kByteTargets, kLdmatrix, Standing::derived},
    MoverLine{"ldmatrix", ".m16n16", ".trans", ".b8x16.b4x16_p64", ElementType::b4, 8, 16, 16,
              {1, 2, 0}, kColumnsOf8, "8.6", kByteTargets, kLdmatrix, Standing::derived},
    MoverLine{"ldmatrix", ".m8n16", "", ".b8x16.b6x16_p32", ElementType::b6, 8, 8, 16, {1, 2, 4},
              kRowsOf8, "8.6", kByteTargets, kLdmatrix, Standing::specified},
    MoverLine{"ldmatrix", ".m8n16", "", ".b8x16.b4x16_p64", ElementType::b4, 8, 8, 16, {1, 2, 4},
              kRowsOf8, "8.6", kByteTargets, kLdmatrix, Standing::specified},
    MoverLine{"stmatrix", ".m8n8", "", ".b16", ElementType::b16, 16, 8, 8, {1, 2, 4}, kRowsOf16,
              "7.8", "sm_90", kStmatrix, Standing::specified},
    MoverLine{"stmatrix", ".m8n8", ".trans", ".b16", ElementType::b16, 16, 8, 8, {1, 2, 4},
              kColumnsOf16, "7.8", "sm_90", kStmatrix, Standing::specified},
    // .m16n8 names the matrix in the registers; in memory it is 8 rows of 16 bytes.
    MoverLine{"stmatrix", ".m16n8", ".trans", ".b8", ElementType::b8, 8, 8, 16, {1, 2, 4},
              kStoredColumnsOf8, "8.6", kByteTargets, kStmatrix, Standing::derived},
};
// clang-format on

// tcgen05.ld and .st of Blackwell: between a warp's registers and tensor memory, 128 lanes of 512
// columns of 32 bits. .16x64b is 16 lanes and 64 bits, so 2 columns, of it; .xN repeats that to the
// right. A warp reaches the 32 lanes below 32 * (its number in the warpgroup) only.
//
//   .32x32b    lane l gets row l
//   .16x256b   as D of mma.m16n8 lies: lane 4g+t gets rows g and g + 8, columns 2t and 2t+1
//
// Source: PTX ISA 9.2, 9.7.16.2.3 (figures), 9.7.16.8.
struct TensorMemoryLine {
  std::string_view shape;
  int rows, cols;  // of .x1
  int matrices;    // .16x32bx2: two places, as far apart as the last operand says
  int values;      // of .x1: registers
  Map map;         // of .x1; repetitions go to the right
  Standing standing;
};

// clang-format off
inline constexpr std::array kTensorMemoryLines{
    TensorMemoryLine{".32x32b", 32, 1, 1, 1, {{row(1), row(2), row(4), row(8), row(16)}, {}},
                     Standing::specified},
    TensorMemoryLine{".16x64b", 16, 2, 1, 1, {{row(8), col(1), row(1), row(2), row(4)}, {}},
                     Standing::specified},
    TensorMemoryLine{".16x128b", 16, 4, 1, 2, {{col(1), col(2), row(1), row(2), row(4)}, {row(8)}},
                     Standing::specified},
    TensorMemoryLine{".16x256b", 16, 8, 1, 4,
                     {{col(2), col(4), row(1), row(2), row(4)}, {col(1), row(8)}},
                     Standing::specified},
    TensorMemoryLine{".16x32bx2", 16, 1, 2, 1, {{row(1), row(2), row(4), row(8), matrix(1)}, {}},
                     Standing::derived},
};
// clang-format on
// .pack::16b of .ld and .unpack::16b of .st: a register is the low halves of two neighbouring
// columns, so every column counts twice. That the first of them is the register's low half the ISA
// leaves to the reader.
inline constexpr std::string_view kPack = ".pack::16b", kUnpack = ".unpack::16b";

// Where tcgen05.mma leaves D, by M, by the CTAs that work together, and by the form: `letter` is
// the ISA's. Lane bits, lowest first; bit 7 is the CTA of the pair. Half of D's columns may lie in
// other lanes (col_parts > 1): then the lane bits named by `split` move N/2, N/4 columns.
//
//   D  lane = row         F, C  16 rows a warp, in its lower lanes      G  32 rows, N/4 columns
//   E, B  64 rows in lanes 0..63 with the left half of the columns, in 64..127 with the right one
//
// Source: PTX ISA 9.2, 9.7.16.10.5 (figures 205 to 218), N from table 39 (9.7.16.2.1). The figures
// say it; "2x3" for E in the table above them must be 2x2 (docs/errata.md).
struct ResultLine {
  char letter;
  std::string_view form;  // behind "tcgen05.mma"
  int ctas, M;
  int n_first, n_step;                 // up to 256; step 0: twice as many each
  int rows_a_lane_run;                 // 128, 64, 32, or 16: rows in neighbouring lanes
  int col_parts;                       // 1, 2, 4
  std::string_view cta, lane, column;  // {} is N / col_parts
};
// clang-format off
inline constexpr std::array kResultLines{
    ResultLine{'F', ".cta_group::1", 1, 64, 8, 8, 16, 1, "0", "row % 16 + row / 16 * 32", "col"},
    ResultLine{'D', ".cta_group::1", 1, 128, 8, 8, 128, 1, "0", "row", "col"},
    ResultLine{'G', ".ws.cta_group::1", 1, 32, 64, 0, 32, 4, "0", "row + col / {} * 32", "col % {}"},
    ResultLine{'E', ".ws.cta_group::1", 1, 64, 64, 0, 64, 2, "0", "row + col / {} * 64", "col % {}"},
    ResultLine{'D', ".ws.cta_group::1", 1, 128, 64, 0, 128, 1, "0", "row", "col"},
    ResultLine{'B', ".cta_group::2", 2, 128, 16, 16, 64, 2,
               "row / 64", "row % 64 + col / {} * 64", "col % {}"},
    ResultLine{'C', ".sp.cta_group::2", 2, 128, 16, 16, 16, 1,
               "row / 64", "row % 16 + row % 64 / 16 * 32", "col"},
    ResultLine{'A', ".cta_group::2", 2, 256, 16, 16, 128, 1, "row / 128", "row % 128", "col"},
};
// clang-format on
inline constexpr std::string_view kResultSource = "PTX ISA 9.2, 9.7.16.10.5, 9.7.16.10.4.1";

// Scale factors of a block-scaled tcgen05.mma, by operand ('S' of A, 'T' of B) and form. Each CTA
// of a pair has those of its own rows of A; of B all, and with M 128 those of the left half of D's
// columns in lanes 0 to 63, of the right half in 64 to 127. N is listed where whole columns are
// full. The ISA has which lane in figures 231 to 233 and 240 to 242; of a pair it says nothing:
// there it is CUTLASS's layout (tmem_sf_frg), which has the rest so, too.
struct FactorLine {
  char operand;
  int ctas, M;
  int n_first;  // and step, up to 256; 0: of A
  bool halves;
};
inline constexpr std::array kFactorLines{
    FactorLine{'S', 1, 128, 0, false}, FactorLine{'T', 1, 128, 32, false},
    FactorLine{'S', 2, 256, 0, false}, FactorLine{'T', 2, 256, 32, false},
    FactorLine{'S', 2, 128, 0, true},  FactorLine{'T', 2, 128, 64, true},
};
inline constexpr std::string_view kFactorSource = "PTX ISA 9.2, 9.7.16.10.7";

// Metadata of tcgen05.mma.sp, by form and kind. With 16 rows a warp (D's layouts F and C) row m's
// lies in the lanes of A's row m; with .ws and M 32 or 64 it lies several times, for each part of
// D's columns, as D does. The ISA has the lanes in figures 262 to 267, which are pictures; in words
// it is others who say them: of M 128, of a pair's 256 and of .ws CUTLASS
// (mma_traits_sm100_frag.hpp, tmem_e_frg, tmem_e_frg_ws), of the lower lanes TVM's tests of its
// simulator, and 9.7.16.10.8.5 asks there for the same lanes of A, D and metadata.
struct MetadataLine {
  std::string_view form;  // behind "tcgen05.mma"
  int ctas, M;
  bool halved;  // 16 rows a warp
  bool scaled;  // block-scaled kinds have it, too
};
struct MetadataKind {
  std::string_view name;
  int kept;        // indices of a row
  int index_bits;  // of each
  int columns;     // 1: of two neighbours the one that sel names
  bool scaled;
};
inline constexpr std::string_view kMetadataSource = "PTX ISA 9.2, 9.7.16.10.8.4 (figures alone)";
// clang-format off
inline constexpr std::array kMetadataLines{
    MetadataLine{".sp.cta_group::1", 1, 64, true, false},
    MetadataLine{".sp.cta_group::1", 1, 128, false, true},
    MetadataLine{".sp.cta_group::2", 2, 128, true, false},
    MetadataLine{".sp.cta_group::2", 2, 256, false, true},
    MetadataLine{".ws.sp.cta_group::1", 1, 32, false, false},
    MetadataLine{".ws.sp.cta_group::1", 1, 64, false, false},
    MetadataLine{".ws.sp.cta_group::1", 1, 128, false, false},
};
inline constexpr std::array kMetadataKinds{
    MetadataKind{"f16", 16, 2, 1, false},    MetadataKind{"tf32", 8, 4, 1, false},
    MetadataKind{"f8f6f4", 32, 2, 2, false}, MetadataKind{"i8", 32, 2, 2, false},
    MetadataKind{"mxf8f6f4", 32, 2, 2, true}, MetadataKind{"mxf4", 32, 2, 2, true},
    MetadataKind{"mxf4nvf4", 32, 2, 2, true},
};
// clang-format on

inline constexpr int kMostTensorMemoryRegisters = 128;
inline constexpr std::string_view kTensorMemoryTargets = "sm_100a sm_103a sm_110a";
inline constexpr std::string_view kTensorMemoryIntegers = "sm_100a sm_110a";  // .kind::i8: ptxas
inline constexpr std::string_view kTensorMemory = "PTX ISA 9.2, 9.7.16.2.3, 9.7.16.8";

}  // namespace lanescope::layout
