// Validation of portable artifacts.
//
// A valid file is well formed, and has only attributes, types and operations that the validator knows. MLIR's reader
// and the conversion to StableHLO survive such files. All other files are read in a separate process, which may crash,
// so a file is invalid when in doubt.
#pragma once

#include "bytecode/container.h"

namespace hlokit {

// Throws a BytecodeError that names a malformed or unknown part.
//
// `reader` is the version of StableHLO that will read the file: 1,000 times the major and the minor version.
void validate(const Bytecode &bytecode, unsigned reader);

} // namespace hlokit
