#include <fstream>

#include "experiments/analyses/model_questions/model_inputs.h"
#include "experiments/analyses/testing/workshop_model.h"
#include "hw/testing/fuzz_target.h"

namespace weir::experiments::analyses {
namespace {

// Reads inputs as `weir model NAME --from FILE` does, for a model with or without a matrix.
void read_inputs(const std::string& input) {
    static const hw::testing::InputFile file("inputs.toml");
    file.write(input);
    if (input.find("visits") != std::string::npos) {
        RoutingModel model;
        ModelInputs inputs(model);
        inputs.read_file(file.path());
        return;
    }
    WorkshopModel model;
    ModelInputs inputs(model);
    inputs.read_file(file.path());
    inputs.require_all({});
}

const hw::testing::FuzzTarget kModelInputsFuzz({
    .name = "model-inputs",
    .sources = {"experiments/analyses/model_questions/model_inputs.cpp"},
    .read = read_inputs,
    .seeds =
        [] {
            return std::vector<std::string>{
                "[inputs]\ncustomers = 3\nwork_cycles = 0.25\nhandler_cycles = 1e2\n"
                "handler_squared_cv = 0\nbeside = true\norder = \"random\"\nshares = [0.5, 1]\n",
                "visits = [[0, 1], [1, 0]]\n", "customers = \"3\"\nwork = 2\nC_o^2 = 1\n",
                "[inputs]\ncustomers = 3\n[other]\n"};
        },
    .words = {"customers = ", "work_microseconds = ", "order = ", "shares = ", "visits = ", "[[",
              "\"12cycles\"", "inf", "nan"},
});

}  // namespace
}  // namespace weir::experiments::analyses
