// SPDX-License-Identifier: MIT
// The operands of an instruction of PTX, out of its text: as much of it as the way of an element
// needs. No parser: what it cannot make out it leaves out.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::viz {

/// "[%r142+16]", "{%r143, %r144}" of "@%p1 st.shared.v2.u32 [%r142+16], {%r143, %r144};"
std::vector<std::string_view> operands_of(std::string_view ptx);
/// "%r1", or "low", as inline assembly calls its own: no number.
bool is_register(std::string_view operand);
/// "%r143", "%r144" of "{%r143, %r144}", "low", "high" of "{low,high}", "__$1" of "[__$1+16]"; what
/// is no register is left out, but for names of variables and parameters, which nobody writes.
std::vector<std::string_view> registers_in(std::string_view operand);

/// 16 of "16", "0x10", "0x10U" and " 16", -4 of "-4" and "-0x4"; nothing of what is no whole
/// number.
std::optional<std::int64_t> whole_number(std::string_view word);

/// "0", "0x0", "0f00000000": a zero of whatever type.
bool is_zero(std::string_view operand);

/// Of a name such as "mma.sync.aligned...": mma, wmma.mma or wgmma.mma_async.
bool multiplies(std::string_view mnemonic);
/// The registers of a matrix, 'A' to 'D', of mma, wmma.mma and wgmma.mma_async, and of the
/// metadata, 'E', of a sparse one, and of the scale factors, 'S' and 'T'; none of what is no such
/// instruction, or lies in shared memory.
std::vector<std::string_view> matrix_registers(std::string_view ptx, char operand);
/// "A.r1" of a register that such an instruction reads as the second of A, "D.r1" where `written`;
/// "" of others.
std::string matrix_register(std::string_view ptx, std::string_view name, bool written);

/// What stands behind the metadata of a sparse one; 0 where nothing does.
int metadata_selector(std::string_view ptx);
/// {thread-id, byte-id} behind the scale factors 'S' or 'T', numbers or registers, as they are
/// written; empty where there are none.
std::array<std::string_view, 2> scale_selectors(std::string_view ptx, char operand);

struct MemoryOperand {
  std::string_view base;    // "%rd165"
  std::int64_t offset = 0;  // in bytes
};
/// Of "[%rd165+-128]" and "[ %rd165 + 0x80 ]"; nothing where no register is the base.
std::optional<MemoryOperand> memory_operand(std::string_view operand);

/// How many bytes one element of a load or store has, by the type its name ends with: 2 of
/// "ld.global.v4.u16", 4 of "red.global.add.noftz.f16x2"; 0: it has none.
int element_bytes(std::string_view ptx);
/// "0" of "ld.param.u64 %rd76, [_Z4loadPKt_param_0];", "0+8" of "[_Z4load5Param_param_0+8]", a
/// field of a struct; `name`: of several registers the one that gets it. "" of what is no such
/// load. `names`: of the kernel's parameters, where they have others (StepList::parameters).
std::string parameter_of(std::string_view ptx, std::string_view name,
                         const std::vector<std::string>& names = {});
/// "0" of "_Z4loadPKt_param_0", and of names[0]; "" of any other.
std::string parameter_in(std::string_view operand, const std::vector<std::string>& names = {});

}  // namespace lanescope::viz
