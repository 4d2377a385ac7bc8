#pragma once

#include <memory>

#include "experiments/analyses/compared_models/compared_model.h"

namespace weir::experiments::analyses {

std::unique_ptr<ComparedModel> logp_compared();
std::unique_ptr<ComparedModel> lopc_compared();
std::unique_ptr<ComparedModel> lopc_schweitzer_compared();
std::unique_ptr<ComparedModel> lopc_rule_of_thumb_compared();
std::unique_ptr<ComparedModel> md1_compared();
/// With a channel taken for B cycles by B bytes, as printed, or for G B.
std::unique_ptr<ComparedModel> logpc_compared(bool as_printed);
/// With the notify delay as part of o_rl, or without.
std::unique_ptr<ComparedModel> loggp_compared(bool with_notify);
std::unique_ptr<ComparedModel> lopc_channels_compared();
std::unique_ptr<ComparedModel> multithreading_compared();

}  // namespace weir::experiments::analyses
