#pragma once

#include <gtest/gtest.h>

#include "experiments/analyses/model_questions/model_inputs.h"
#include "experiments/analyses/testing/workshop_model.h"

namespace weir::experiments::analyses {

/// Fixture with a workshop model and its inputs.
class WorkshopInputsTest : public ::testing::Test {
  protected:
    WorkshopModel model_;
    ModelInputs inputs_{model_};
};

}  // namespace weir::experiments::analyses
