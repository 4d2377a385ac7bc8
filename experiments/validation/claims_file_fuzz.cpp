#include <fstream>

#include "experiments/validation/claims_file.h"
#include "hw/testing/fuzz_target.h"

namespace weir::experiments::validation {
namespace {

const hw::testing::FuzzTarget kClaimsFuzz({
    .name = "claims",
    .sources = {"experiments/validation/claims_file.cpp", "experiments/validation/claim_value.cpp",
                "experiments/validation/claim_entries.cpp"},
    .read =
        [](const std::string& input) {
            static const hw::testing::InputFile file("claims.toml");
            std::ofstream(file.folder() / "ping.toml") << "title = \"a part\"\n";
            file.write(input);
            if (const std::optional<ClaimsFile> claims = read_claims(file.path())) {
                static_cast<void>(chosen_claims(*claims, {}));
            }
        },
    .seeds =
        [] {
            return std::vector<std::string>{R"(title = "What the papers say"
[claim.sync-remap]
what = "synchronous remap"
source = "LoGPC Table 4"
kind = "predicted"
of = "hardware"
listed = 7
although = "of that"
published = 486
tolerance = 0.03
ours.experiment = "ping.toml"
ours.point = "W = 0"
ours.set.run.seeds = [1]
ours.metric = "cycles_per_iteration"
status = "differs"
because = "of it"
[claim.bound]
what = "a bound"
source = "Table 1"
at_least = 1
at_most = 3
ours = { ratio = [{ experiment = "ping.toml", points = ["a", "b"], metric = "m" }] }
status = "reproduced"
[claim.sum]
what = "a sum with a cell of a table"
source = "Table 1"
at_least = 1
ours = { sum = [{ model = "m", table = "t", column = "c", row = 0 }, { largest = [3, { model = "m", output = "o" }] }] }
status = "reproduced"
[claim.model]
what = "a model"
source = "Table 1"
published = 24
within = 1
ours = { model = "logp-broadcast", inputs = { processors = 8 }, output = "finish_cycles" }
status = "reproduced"
[claim.text]
what = "a text"
source = "Table 2"
published = "some"
status = "not testable"
because = "it is a text"
)",
                                            "[claim.a]\nwhat = 1\n", "title = \"no claims\"\n"};
        },
    .words = {"[claim.x]\n", "kind = ", "of = ", "listed = ", "although = ", "ours = ",
              "published = ", "at_least = ", "within = ", "status = ", "sum = [", "difference = [",
              "largest = [", "points = [", "table = ", "row = "},
});

}  // namespace
}  // namespace weir::experiments::validation
