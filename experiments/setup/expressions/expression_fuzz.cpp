#include "experiments/setup/expressions/expression.h"
#include "experiments/setup/expressions/expression_of_parameters.h"
#include "hw/testing/fuzz_target.h"

namespace weir::experiments::setup {
namespace {

const hw::testing::FuzzTarget kExpressionFuzz({
    .name = "expression",
    .sources = {"experiments/setup/expressions/expression.cpp",
                "experiments/setup/expressions/expression_of_parameters.cpp"},
    .read =
        [](const std::string& input) {
            const NamedValues values{{{"network.flit_bytes", std::int64_t{2}},
                                      {"network.topology", std::string("mesh")},
                                      {"network.dimensions", std::vector<std::int64_t>{8, 4}},
                                      {"clock.processor_mhz", 20.0},
                                      {"controller.overflow_trap", true},
                                      {"l1.bytes", std::int64_t{1}},
                                      {"l2.bytes", std::int64_t{0}}}};
            static_cast<void>(value_of(Expression::parse(input, {"study.toml", 2, 10}), values));
        },
    .seeds =
        [] {
            return std::vector<std::string>{"flit_bytes * 8 * (l1.bytes + 2.5e1) <= 64",
                                            "-processor_mhz ÷ 3 − 1_000 × overflow_trap"};
        },
    .tests = "ExpressionTest.*",
    .words = {"<=", "≥", "!=", "×", "÷", "−", "1e308", "flit_bytes", "l2.bytes", "((((", "----"},
});

}  // namespace
}  // namespace weir::experiments::setup
