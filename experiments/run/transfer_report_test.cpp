#include "experiments/run/transfer_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "experiments/config/wrapped_text.h"

namespace weir::experiments::run {
namespace {

using ::testing::HasSubstr;

// Strides of 4 and 64 bytes; the larger one costs 1 cycle a byte more up to 1 kB, then 8 more.
MeasuredTransfers made_up() {
    MeasuredTransfers transfers;
    for (const std::int64_t stride : {4, 64}) {
        for (std::int64_t bytes = 256; bytes <= 4096; bytes *= 2) {
            const double latency = stride == 4 ? 0.0 : bytes <= 1024 ? 1.0 : 8.0;
            MeasuredTransfer transfer{.kind = "pack",
                                      .element_bytes = 4,
                                      .stride_bytes = stride,
                                      .bytes = bytes,
                                      .cycles = static_cast<std::int64_t>(2.0 + latency) * bytes,
                                      .cycles_per_byte = 2.0 + latency,
                                      .overhead_cycles_per_byte = 2.0};
            for (const std::string& model : kTransferModels) {
                const double error = model == "curve_fit" && stride == 64 ? 20.0 : -1.0;
                transfer.predictions.push_back({model, 0.0, error});
            }
            transfers.push_back(transfer);
        }
    }
    return transfers;
}

TEST(TransferReport, ShowsCyclesPlateausAndErrorsWithinAPage) {
    const std::string page = transfer_report(made_up());
    EXPECT_THAT(page, HasSubstr("pack of words: cycles a byte (o + l)"));
    EXPECT_THAT(page, HasSubstr("      1 kB   2.00   3.00\n      2 kB   2.00  10.00\n"));
    EXPECT_THAT(page, HasSubstr("stride 64 B: 3.00 from 256 B to 1 kB, 10.00 from 2 kB to 4 kB"));
    EXPECT_THAT(page, HasSubstr("curve fit             +20.0 %    -1.0 %      5 of 10"));
    EXPECT_THAT(page, HasSubstr("256 B, stride 64 B"));
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(config::width_of(line), config::kPageColumns) << line;
    }
    EXPECT_EQ(transfer_report({}), "");
}

TEST(TransferReport, ThinsOutStridesThatDoNotFit) {
    MeasuredTransfers transfers;
    for (std::int64_t stride = 4; stride <= 131'072; stride *= 2) {
        transfers.push_back({.kind = "memcpy",
                             .element_bytes = 4,
                             .stride_bytes = stride,
                             .bytes = 1024,
                             .cycles = 2048,
                             .cycles_per_byte = 2.0});
    }
    const std::string page = transfer_report(transfers);
    EXPECT_THAT(page, HasSubstr("    4 B"));
    EXPECT_THAT(page, HasSubstr(" 128 kB"));
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(config::width_of(line), config::kPageColumns) << line;
    }
}

TEST(TransferReport, MetricsAreTheWorstErrorsAndTheLargestRatio) {
    const Metrics metrics = transfer_metrics(made_up());
    EXPECT_EQ(find_metric(metrics, "curve_fit_error_above_percent"), 20.0);
    EXPECT_EQ(find_metric(metrics, "curve_fit_error_below_percent"), -1.0);
    EXPECT_EQ(find_metric(metrics, "write_back_timing_error_above_percent"), -1.0);
    EXPECT_EQ(find_metric(metrics, "strided_over_contiguous"), 5.0);
    EXPECT_EQ(find_metric(metrics, "contiguous_spread_percent"), 0.0);
}

TEST(TransferPictures, HaveACurveAStrideAndACellATransfer) {
    const MeasuredTransfers transfers = made_up();
    const std::string curves = transfer_curves_picture(transfers, "pack <of> words");
    EXPECT_THAT(curves, HasSubstr("pack &lt;of&gt; words"));
    EXPECT_THAT(curves, HasSubstr("256 B, stride 64 B: 3.000 cycles a byte"));
    const auto count = [](const std::string& text, const std::string& what) {
        std::size_t found = 0;
        for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
            ++found;
        }
        return found;
    };
    EXPECT_EQ(count(curves, "class=\"l\""), 2U);
    EXPECT_EQ(count(curves, "<circle"), 10U);
    const std::string map = latency_heat_map_picture(transfers, "l");
    EXPECT_EQ(count(map, ">8.0</text>"), 2U);
    EXPECT_EQ(count(map, ">1.0</text>"), 3U);
    EXPECT_EQ(transfer_curves_picture({transfers.front()}, ""), "");
    EXPECT_EQ(latency_heat_map_picture({transfers.front()}, ""), "");  // no l but 0
}

}  // namespace
}  // namespace weir::experiments::run
