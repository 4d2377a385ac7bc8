#include "experiments/running/sweeps/plan/point_filter.h"
#include "hw/testing/fuzz_target.h"

namespace weir::experiments::running {
namespace {

const hw::testing::FuzzTarget kFilterFuzz({
    .name = "filter",
    .sources = {"experiments/running/sweeps/plan/point_filter.cpp"},
    .read =
        [](const std::string& input) {
            const std::vector<FilterText> filters{{input, {"study.toml", 2, 10}}};
            PointFilter filter(filters, {{"controller", "queue_bytes"},
                                         {"network", "topology"},
                                         {"network", "dimensions"},
                                         {"l1", "bytes"},
                                         {"l2", "bytes"},
                                         {"clock", "processor_mhz"},
                                         {"controller", "overflow_trap"}});
            const std::vector<hw::ParameterValue> values{std::int64_t{64},
                                                         std::string("mesh"),
                                                         std::vector<std::int64_t>{8, 4},
                                                         std::int64_t{1},
                                                         std::int64_t{2},
                                                         20.0,
                                                         true};
            static_cast<void>(filter.keeps(values));
        },
    .seeds =
        [] {
            return std::vector<std::string>{
                "queue_bytes >= 128 or topology in ('mesh', 'torus')",
                "l2.bytes = 2 * l1.bytes and dimensions = '[8, 4]' -- a comment",
                "queue_bytes > 3 && topology"};
        },
    .tests = "PointFilterTest.*",
    .words = {" between ", " and ", " or ", "not ", " in (", "select ", "case when ", " like '%",
              "printf('%d', ", "zeroblob(", "randomblob(", "group_concat(", "(((("},
});

}  // namespace
}  // namespace weir::experiments::running
