#include "hw/parameter.h"

namespace weir::hw {

ParameterBase* ParameterGroup::find(std::string_view name) const {
    for (ParameterBase* parameter : parameters_) {
        if (parameter->name() == name) {
            return parameter;
        }
    }
    return nullptr;
}

}  // namespace weir::hw
