#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "experiments/analyses/kernels/memory_transfer.h"
#include "experiments/records/point_values.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::analyses {

namespace {

using records::Curve;
using records::CurveKind;
using records::LineChart;

std::string size_text(std::int64_t bytes) {
    return bytes >= 1024 && bytes % 1024 == 0 ? fmt::format("{} kB", bytes / 1024)
                                              : fmt::format("{} B", bytes);
}

std::vector<std::int64_t> sorted_values(const MeasuredTransfers& transfers,
                                        std::int64_t MeasuredTransfer::*which) {
    std::vector<std::int64_t> values;
    for (const MeasuredTransfer& transfer : transfers) {
        values.push_back(transfer.*which);
    }
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

const MeasuredTransfer* transfer_at(const MeasuredTransfers& transfers, std::int64_t bytes,
                                    std::int64_t stride_bytes) {
    const auto found = std::find_if(transfers.begin(), transfers.end(), [&](const auto& transfer) {
        return transfer.bytes == bytes && transfer.stride_bytes == stride_bytes;
    });
    return found == transfers.end() ? nullptr : &*found;
}

// At most `most` of the values, evenly spaced, with the first and the last.
std::vector<std::int64_t> thinned(const std::vector<std::int64_t>& values, std::size_t most) {
    if (values.size() <= most) {
        return values;
    }
    std::vector<std::int64_t> kept;
    for (std::size_t i = 0; i < most; ++i) {
        kept.push_back(values[i * (values.size() - 1) / (most - 1)]);
    }
    return kept;
}

records::Table cycles_table(const MeasuredTransfers& transfers) {
    constexpr std::size_t kMostStrides = 10;
    const auto strides =
        thinned(sorted_values(transfers, &MeasuredTransfer::stride_bytes), kMostStrides);
    records::Table table;
    table.caption = fmt::format("{} of {}s: cycles per byte (o + l), by size and stride",
                                transfers.front().kind,
                                transfers.front().element_bytes == 4 ? "word" : "double");
    table.columns = {records::number_column("bytes")};
    for (const std::int64_t stride : strides) {
        table.columns.push_back(records::number_column(size_text(stride)));
    }
    for (const std::int64_t bytes : sorted_values(transfers, &MeasuredTransfer::bytes)) {
        records::TableCell size = records::text_cell(size_text(bytes));
        size.value = static_cast<double>(bytes);
        std::vector<records::TableCell> row{size};
        for (const std::int64_t stride : strides) {
            const MeasuredTransfer* transfer = transfer_at(transfers, bytes, stride);
            row.push_back(
                transfer == nullptr
                    ? records::absent_cell()
                    : records::TableCell{setup::fixed_number(transfer->cycles_per_byte, 2),
                                         transfer->cycles_per_byte,
                                         std::nullopt,
                                         {}});
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

// Ranges of adjacent sizes with similar cycles per byte, at one stride.
std::string plateaus(const MeasuredTransfers& transfers, std::int64_t stride) {
    constexpr double kAlike = 1.05;
    constexpr std::size_t kLeastSizes = 2;
    struct Plateau {
        std::int64_t first = 0;
        std::int64_t last = 0;
        std::size_t sizes = 0;
        double least = 0.0;
        double most = 0.0;
    };
    std::vector<Plateau> found;
    for (const std::int64_t bytes : sorted_values(transfers, &MeasuredTransfer::bytes)) {
        const MeasuredTransfer* transfer = transfer_at(transfers, bytes, stride);
        if (transfer == nullptr) {
            continue;
        }
        const double cycles = transfer->cycles_per_byte;
        if (found.empty() ||
            std::max(cycles, found.back().most) > kAlike * std::min(cycles, found.back().least)) {
            found.push_back({bytes, bytes, 0, cycles, cycles});
        }
        Plateau& plateau = found.back();
        plateau.last = bytes;
        plateau.sizes += 1;
        plateau.least = std::min(plateau.least, cycles);
        plateau.most = std::max(plateau.most, cycles);
    }
    std::string text;
    for (const Plateau& plateau : found) {
        if (plateau.sizes >= kLeastSizes) {
            text += fmt::format("{}{} from {} to {}", text.empty() ? "" : ", ",
                                setup::fixed_number((plateau.least + plateau.most) / 2.0, 2),
                                size_text(plateau.first), size_text(plateau.last));
        }
    }
    return text;
}

records::Table plateau_table(const MeasuredTransfers& transfers) {
    constexpr std::size_t kStridesShown = 3;
    records::Table table;
    table.caption = "Plateaus: cycles per byte within 5 % over two sizes or more";
    table.columns = {records::number_column("stride"), records::text_column("plateaus")};
    for (const std::int64_t stride :
         thinned(sorted_values(transfers, &MeasuredTransfer::stride_bytes), kStridesShown)) {
        const std::string text = plateaus(transfers, stride);
        if (!text.empty()) {
            table.rows.push_back({records::text_cell(size_text(stride)), records::text_cell(text)});
        }
    }
    return table;
}

// Largest errors of one model's predictions.
struct Errors {
    const MeasuredTransfer* worst = nullptr;
    double above = -100.0;
    double below = INFINITY;
    std::size_t near = 0;
};

Errors errors_of(const MeasuredTransfers& transfers, const std::string& model) {
    constexpr double kNear = 5.0;
    Errors errors;
    double farthest = -1.0;
    for (const MeasuredTransfer& transfer : transfers) {
        for (const TransferPrediction& prediction : transfer.predictions) {
            if (prediction.model != model) {
                continue;
            }
            const double error = prediction.error_percent;
            errors.above = std::max(errors.above, error);
            errors.below = std::min(errors.below, error);
            errors.near += std::abs(error) <= kNear ? 1 : 0;
            if (std::abs(error) > farthest) {
                farthest = std::abs(error);
                errors.worst = &transfer;
            }
        }
    }
    return errors;
}

records::Table errors_table(const MeasuredTransfers& transfers) {
    records::Table table;
    table.caption = "Errors of predictions of o + l";
    table.columns = {records::text_column("model"), records::number_column("highest error"),
                     records::number_column("lowest error"), records::number_column("within 5 %"),
                     records::text_column("largest error at")};
    for (const std::string& model : kTransferModels) {
        const Errors errors = errors_of(transfers, model);
        if (errors.worst != nullptr) {
            records::TableCell near =
                records::text_cell(fmt::format("{} of {}", errors.near, transfers.size()));
            near.value = static_cast<double>(errors.near);
            table.rows.push_back(
                {records::text_cell(setup::spaced_name(model)), records::percent_cell(errors.above),
                 records::percent_cell(errors.below), near,
                 records::text_cell(fmt::format("{}, stride {}", size_text(errors.worst->bytes),
                                                size_text(errors.worst->stride_bytes)))});
        }
    }
    return table;
}

void add_transfer_figures(const records::ExperimentResult& result,
                          const records::PointResult& point, records::Section& section) {
    const MeasuredTransfers transfers = measured_transfers(point);
    if (transfers.empty()) {
        return;
    }
    std::set<std::int64_t> strides;
    std::set<std::int64_t> sizes;
    for (const MeasuredTransfer& transfer : transfers) {
        strides.insert(transfer.stride_bytes);
        sizes.insert(transfer.bytes);
    }
    if (sizes.size() < 2) {
        return;
    }
    // Largest number of curves in the chart; the first and the last stride are among them.
    constexpr std::size_t kMostStrides = 7;
    std::vector<std::int64_t> shown(strides.begin(), strides.end());
    while (shown.size() > kMostStrides) {
        std::vector<std::int64_t> fewer;
        for (std::size_t i = 0; i < shown.size(); i += 2) {
            fewer.push_back(shown[i]);
        }
        shown = fewer;
    }
    LineChart latencies;
    latencies.title = fmt::format("cycles per byte (l) beyond contiguous data of {}{}",
                                  transfers.front().kind, records::in_point(result, point));
    latencies.caption = "Cycles per byte beyond those of contiguous data, by size and stride.";
    latencies.x_name = "bytes";
    latencies.y_name = "latency_cycles_per_byte";
    latencies.x_label = "bytes moved";
    latencies.y_label = "cycles per byte";
    latencies.x_is_logarithmic = true;
    LineChart chart;
    chart.title = fmt::format("cycles per byte (o + l) of {} by size and stride{}",
                              transfers.front().kind, records::in_point(result, point));
    chart.caption = "Points: measured. Lines: models. All strides are in the CSV of the run.";
    chart.x_name = "bytes";
    chart.y_name = "cycles_per_byte";
    chart.x_label = "bytes moved";
    chart.y_label = "cycles per byte";
    chart.x_is_logarithmic = true;
    chart.y_is_logarithmic = true;
    for (const std::int64_t stride : shown) {
        Curve measured{
            CurveKind::kMeasured, "measured", fmt::format("stride {} B", stride), {}, false};
        Curve said{CurveKind::kModel, "write_back_timing", measured.series, {}, false};
        Curve latency = measured;
        for (const MeasuredTransfer& transfer : transfers) {
            if (transfer.stride_bytes != stride) {
                continue;
            }
            const auto bytes = static_cast<double>(transfer.bytes);
            measured.points.push_back({bytes, transfer.cycles_per_byte, std::nullopt});
            if (const auto l = transfer.latency_cycles_per_byte()) {
                latency.points.push_back({bytes, *l, std::nullopt});
            }
            for (const TransferPrediction& prediction : transfer.predictions) {
                if (prediction.model == said.who) {
                    said.points.push_back({bytes, prediction.cycles_per_byte, std::nullopt});
                }
            }
        }
        for (Curve* curve : {&measured, &said, &latency}) {
            std::sort(curve->points.begin(), curve->points.end(),
                      [](const auto& a, const auto& b) { return a.x < b.x; });
            if (!curve->points.empty()) {
                (curve == &latency ? latencies : chart).curves.push_back(std::move(*curve));
            }
        }
    }
    section.blocks.emplace_back(records::Figure{"", chart});
    const bool has_latency =
        std::any_of(transfers.begin(), transfers.end(), [](const auto& transfer) {
            return transfer.latency_cycles_per_byte().value_or(0.0) > 0.0;
        });
    if (has_latency) {
        section.blocks.emplace_back(records::Figure{"", latencies});
    }
}

}  // namespace

std::optional<records::Section> memory_transfers_section(const records::ExperimentResult& result) {
    records::Section section;
    section.title = "Memory transfers";
    for (const records::PointResult& point : result.points) {
        const MeasuredTransfers transfers = measured_transfers(point);
        if (transfers.empty()) {
            continue;
        }
        if (result.points.size() > 1) {
            section.blocks.emplace_back(records::Paragraph{point.label});
        }
        add_transfer_figures(result, point, section);
        section.blocks.emplace_back(cycles_table(transfers));
        for (records::Table table : {plateau_table(transfers), errors_table(transfers)}) {
            if (!table.rows.empty()) {
                section.blocks.emplace_back(std::move(table));
            }
        }
    }
    return section.blocks.empty() ? std::nullopt : std::optional(std::move(section));
}

}  // namespace weir::experiments::analyses
