#pragma once

#include <gtest/gtest.h>

#include "experiments/commands/model/model_inputs.h"
#include "experiments/commands/testing/workshop_model.h"

namespace weir::experiments::commands {

/// A workshop, and its inputs to be set.
class WorkshopInputsTest : public testing::Test {
  protected:
    WorkshopModel model_;
    ModelInputs inputs_{model_};
};

}  // namespace weir::experiments::commands
