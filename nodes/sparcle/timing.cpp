#include "nodes/sparcle/timing.h"

namespace weir::nodes::sparcle {

Timing::Timing()
    : ParameterGroup("sparcle", "The instruction-set core of a node",
                     hw::when("core.kind").is("sparcle")) {}
Timing::~Timing() = default;

}  // namespace weir::nodes::sparcle
