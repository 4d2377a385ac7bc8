#include "experiments/records/json_input.h"
#include "experiments/records/stored_result.h"
#include "experiments/records/testing/small_result.h"
#include "experiments/records/validation.h"
#include "hw/testing/fuzz_target.h"

namespace weir::experiments::records {
namespace {

using Json = nlohmann::ordered_json;

// Reads a result as `weir report` and a resumed run do.
void read_result_file(const std::string& input) {
    static const hw::testing::InputFile file("result.json");
    file.write(input);
    const StoredResult stored = read_stored_result(file.folder());
    for (const ExperimentResult& result : stored.experiments) {
        static_cast<void>(to_json(result).dump());
        static_cast<void>(validate(result));
        for (const PointResult& point : result.points) {
            static_cast<void>(folders_of_point(result, point));
        }
    }
}

const hw::testing::FuzzTarget kStoredResultFuzz({
    .name = "stored-result",
    .sources = {"experiments/records/stored_result.cpp", "experiments/records/json_input.cpp",
                "experiments/records/result_file.cpp"},
    .read = read_result_file,
    .seeds =
        [] {
            return std::vector<std::string>{to_json(small_result(1)).dump(1),
                                            to_json(small_result(2)).dump(),
                                            to_json(small_study()).dump(), "{\"weir\": \"0\"}"};
        },
    .words = {"[[[[[[", "{\"a\":", "1e999", "null", "-1", "1e300", "true", "\"\\ud800\""},
});

const hw::testing::FuzzTarget kSimulationResultFuzz({
    .name = "simulation-result",
    .sources = {"experiments/records/result_file.cpp"},
    .read =
        [](const std::string& input) {
            static_cast<void>(read_stored_json(input, {"result.json", "this is none", "one"},
                                               simulation_result_from));
        },
    .seeds =
        [] {
            return std::vector<std::string>{to_json(small_simulation()).dump(1),
                                            "{\"end\": 7, \"seed\": 1}"};
        },
    .words = {"[[[[[[", "{\"a\":", "1e999", "null", "-1", "1e300", "true"},
});

}  // namespace
}  // namespace weir::experiments::records
