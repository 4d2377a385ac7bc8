#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "experiments/analyses/kernels/memory_transfer.h"
#include "experiments/pages/testing/page_width.h"
#include "experiments/pages/text_page.h"
#include "experiments/setup/text/shown_text.h"
#include "hw/testing/names.h"

namespace weir::experiments::pages {
namespace {

using ::testing::HasSubstr;
using weir::testing::Names;

// Strides of 4 and 64 bytes. The larger one costs 1 cycle more per byte up to 1 kB, and 8 more from
// there.
analyses::MeasuredTransfers made_up() {
    analyses::MeasuredTransfers transfers;
    for (const std::int64_t stride : {4, 64}) {
        for (std::int64_t bytes = 256; bytes <= 4096; bytes *= 2) {
            const double latency = stride == 4 ? 0.0 : bytes <= 1024 ? 1.0 : 8.0;
            analyses::MeasuredTransfer transfer{
                .kind = "pack",
                .element_bytes = 4,
                .stride_bytes = stride,
                .bytes = bytes,
                .cycles = static_cast<std::int64_t>(2.0 + latency) * bytes,
                .cycles_per_byte = 2.0 + latency,
                .overhead_cycles_per_byte = 2.0};
            for (const std::string& model : analyses::kTransferModels) {
                const double error = model == "curve_fit" && stride == 64 ? 20.0 : -1.0;
                transfer.predictions.push_back({model, 0.0, error});
            }
            transfers.push_back(transfer);
        }
    }
    return transfers;
}

// Page of a single point.
std::string transfers_page(const analyses::MeasuredTransfers& transfers) {
    records::ExperimentResult result;
    (*result.points.emplace_back().particulars)["transfers"] =
        analyses::transfers_to_json(transfers);
    records::Document document;
    if (const auto section = analyses::memory_transfers_section(result)) {
        document.sections.push_back(*section);
    }
    const std::string page = text_page(document);
    expect_fits_the_page(page);
    return page;
}

TEST(MemoryTransfersTest, CyclesPlateausAndErrorsAreShown) {
    const std::string page = transfers_page(made_up());
    EXPECT_THAT(page, Names("pack", "cycles", "(o + l)"));
    EXPECT_THAT(page, HasSubstr("   1 kB  2.00   3.00\n   2 kB  2.00  10.00\n"));
    EXPECT_THAT(page, HasSubstr("  64 B  3.00 from 256 B to 1 kB, 10.00 from 2 kB to 4 kB"));
    EXPECT_THAT(page, Names(setup::spaced_name("curve_fit"), "+20.0 %", "-1.0 %", "5 of 10"));
    EXPECT_THAT(page, HasSubstr("256 B, stride 64 B"));
    EXPECT_EQ(transfers_page({}), "\n");
}

TEST(MemoryTransfersTest, StridesThatDoNotFitAreThinnedOut) {
    analyses::MeasuredTransfers transfers;
    for (std::int64_t stride = 4; stride <= 131'072; stride *= 2) {
        transfers.push_back({.kind = "memcpy",
                             .element_bytes = 4,
                             .stride_bytes = stride,
                             .bytes = 1024,
                             .cycles = 2048,
                             .cycles_per_byte = 2.0});
    }
    const std::string page = transfers_page(transfers);
    EXPECT_THAT(page, HasSubstr("  4 B"));
    EXPECT_THAT(page, HasSubstr("  128 kB"));
}

TEST(MemoryTransfersTest, MetricsAreTheWorstErrorsAndTheLargestRatio) {
    records::Metrics metrics;
    analyses::add_transfer_metrics(made_up(), metrics);
    EXPECT_EQ(records::find_metric(metrics, "curve_fit_error_above_percent"), 20.0);
    EXPECT_EQ(records::find_metric(metrics, "curve_fit_error_below_percent"), -1.0);
    EXPECT_EQ(records::find_metric(metrics, "write_back_timing_error_above_percent"), -1.0);
    EXPECT_EQ(records::find_metric(metrics, "strided_over_contiguous"), 5.0);
    EXPECT_EQ(records::find_metric(metrics, "contiguous_spread_percent"), 0.0);
}

}  // namespace
}  // namespace weir::experiments::pages
