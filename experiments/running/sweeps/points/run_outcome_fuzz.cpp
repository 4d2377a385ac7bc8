#include "experiments/records/json_input.h"
#include "experiments/running/sweeps/points/run_outcome.h"
#include "experiments/running/testing/sweep_fixture.h"
#include "hw/testing/fuzz_target.h"

namespace weir::experiments::running {
namespace {

class EndedRun final : public SweepTest {
  public:
    [[nodiscard]] static std::string text() { return to_text(outcome(10)); }
    void TestBody() override {}
};

const hw::testing::FuzzTarget kRunOutcomeFuzz({
    .name = "run-outcome",
    .sources = {"experiments/running/sweeps/points/run_outcome.cpp",
                "experiments/records/json_input.cpp"},
    .read =
        [](const std::string& input) {
            static_cast<void>(records::read_stored_json(
                input, {"outcome", "this is none", "one"},
                [](const nlohmann::ordered_json& json) { return outcome_from(json.dump()); }));
        },
    .seeds =
        [] {
            return std::vector<std::string>{EndedRun::text(), "{\"status\": 7}"};
        },
    .words = {"[[[[[[", "{\"a\":", "1e999", "null", "-1", "1e300"},
});

}  // namespace
}  // namespace weir::experiments::running
