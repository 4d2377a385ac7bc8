#pragma once

#include <string>

#include "experiments/setup/user_fault.h"

namespace weir::experiments::analyses {

/// Message of the UserFault that the call throws.
template <typename Call>
std::string fault_of(Call call) {
    try {
        call();
    } catch (const setup::UserFault& fault) {
        return fault.what();
    }
    return "no fault";
}

}  // namespace weir::experiments::analyses
