// Whether a file is a portable artifact, well formed through and through, of kinds of things that are known.
//
// Of such files it is known that MLIR's reader and what makes StableHLO of them survive them; others are read
// by a process that may die. So when in doubt, a file is not known.
#pragma once

#include "bytecode.h"

namespace hlokit {

// Raises a BytecodeError that tells what is malformed or unknown.
//
// `reader` is the version of StableHLO that will read the file: 1,000 times the major and the minor version.
void require_known(const Bytecode &bytecode, unsigned reader);

} // namespace hlokit
