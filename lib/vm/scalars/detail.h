// The data of an instruction on arrays besides its registers.
#pragma once

namespace hlokit::vm {

struct Detail {
  virtual ~Detail() = default;
};

} // namespace hlokit::vm
