// SPDX-License-Identifier: MIT
// The vector handlers of one host instruction set, gathered. Compiled once per set, see rows.hpp.
#include "emulator/execute/rows.hpp"

namespace lanescope::emulator::LANESCOPE_HOST {

Handler integer_handler(Operation, Type);
Handler real_handler(Operation, Type, std::uint16_t);
Handler compare_handler(Comparison, Type, bool);
Handler compare_value_handler(Comparison, Type, bool);
Handler convert_handler(Type, Type, int, std::uint16_t);
Handler load_handler(Type, int, int);
Handler store_handler(Type, int, int);
bool resolve_addresses(Warp&, const Instruction&, std::uint32_t, std::uint64_t*);

const HandlerSet& handler_set() {
  static constexpr HandlerSet kSet{&integer_handler,       &real_handler,     &compare_handler,
                                   &compare_value_handler, &convert_handler,  &load_handler,
                                   &store_handler,         &resolve_addresses};
  return kSet;
}

}  // namespace lanescope::emulator::LANESCOPE_HOST
