#include "experiments/analyses/fits/transfer_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "experiments/analyses/fits/residuals.h"
#include "experiments/statistics/sample.h"
#include "experiments/statistics/undisturbed.h"

namespace weir::experiments::analyses {

namespace {

using records::FittedValue;
using records::ModelFit;
using records::TransferShape;
using statistics::MeanOfDurations;

constexpr const char* kCopies = "weir run experiments/memory-logp/figure5.toml";
// Relative difference of equal transfers that one machine does not explain: a twentieth.
constexpr double kMostDifference = 0.05;

/// Cycles per byte of transfers of equal shapes.
class TimesOfShapes {
  public:
    explicit TimesOfShapes(std::span<const TimedTransfer> transfers) {
        for (const TimedTransfer& transfer : transfers) {
            cycles_[transfer.shape].push_back(transfer.cycles);
        }
    }

    [[nodiscard]] const std::map<TransferShape, std::vector<double>>& cycles() const {
        return cycles_;
    }
    [[nodiscard]] MeanOfDurations per_byte(const TransferShape& shape) const {
        MeanOfDurations mean = statistics::mean_of_durations(cycles_.at(shape));
        mean.mean /= static_cast<double>(shape.bytes);
        mean.half_width /= static_cast<double>(shape.bytes);
        return mean;
    }
    /// Shapes of contiguous transfers, by the size of their elements. The kinds are alike.
    [[nodiscard]] std::map<std::int64_t, std::vector<TransferShape>> contiguous() const {
        std::map<std::int64_t, std::vector<TransferShape>> shapes;
        for (const auto& [shape, cycles] : cycles_) {
            std::vector<TransferShape>& of_element = shapes[shape.element_bytes];
            if (shape.is_contiguous()) {
                of_element.push_back(shape);
            }
        }
        return shapes;
    }
    /// Largest relative difference between transfers of one shape.
    [[nodiscard]] double largest_difference() const {
        double largest = 0.0;
        for (const auto& [shape, cycles] : cycles_) {
            const auto [least, most] = std::minmax_element(cycles.begin(), cycles.end());
            largest = std::max(largest, *least > 0.0 ? *most / *least - 1.0 : 0.0);
        }
        return largest;
    }

  private:
    std::map<TransferShape, std::vector<double>> cycles_;
};

// o: mean over the sizes, which may differ, and whose times have intervals of their own.
MeanOfDurations overhead_of(const TimesOfShapes& times, const std::vector<TransferShape>& shapes) {
    statistics::Sample sizes;
    double squares = 0.0;
    std::size_t count = 0;
    for (const TransferShape& shape : shapes) {
        const MeanOfDurations time = times.per_byte(shape);
        sizes.values.push_back(time.mean);
        squares += time.half_width * time.half_width;
        count += time.count;
    }
    const double of_sizes = sizes.half_width().value_or(0.0);
    const double of_times = std::sqrt(squares) / static_cast<double>(shapes.size());
    return {sizes.mean(), std::hypot(of_sizes, of_times), count};
}

FittedValue overhead_value(std::int64_t element_bytes, const MeanOfDurations& overhead) {
    return {.name = "overhead_cycles_per_byte",
            .symbol = "o",
            .unit = "cycles per byte",
            .sentence = "Time of a byte of contiguous transfers",
            .transfer = TransferShape{.element_bytes = element_bytes},
            .value = overhead.mean,
            .half_width = overhead.half_width,
            .observations = static_cast<std::int64_t>(overhead.count)};
}

FittedValue latency_value(const TransferShape& shape, const MeanOfDurations& time,
                          const MeanOfDurations& overhead) {
    return {.name = "latency_cycles_per_byte",
            .symbol = "l",
            .unit = "cycles per byte",
            .sentence = "Additional time of a byte by size and stride",
            .transfer = shape,
            .value = time.mean - overhead.mean,
            .half_width = std::hypot(time.half_width, overhead.half_width),
            .observations = static_cast<std::int64_t>(time.count)};
}

void add_warnings(const TimesOfShapes& times, ModelFit& fit) {
    for (const auto& [element, shapes] : times.contiguous()) {
        const auto bytes = [](const TransferShape& shape) { return shape.bytes; };
        std::set<std::int64_t> sizes;
        std::ranges::transform(shapes, std::inserter(sizes, sizes.end()), bytes);
        if (sizes.size() == 1) {
            fit.warnings.push_back(
                {"overhead_cycles_per_byte",
                 fmt::format("contiguous transfers of {}-byte elements have one size, so the "
                             "interval leaves out how o differs between sizes",
                             element),
                 kCopies});
        }
    }
    if (times.largest_difference() > kMostDifference) {
        fit.warnings.push_back(
            {"latency_cycles_per_byte",
             fmt::format(
                 "equal transfers differ by up to {:.0f} %, so the tables may be of several "
                 "machines; name the folder of one point",
                 100.0 * times.largest_difference()),
             kCopies});
    }
}

}  // namespace

ModelFit fit_memory_logp(std::span<const TimedTransfer> transfers) {
    const TimesOfShapes times(transfers);
    ModelFit fit;
    fit.model = kMemoryLogp;
    fit.sentence = "Memory logP: o for contiguous data, l by size and stride";
    fit.subject = "contiguous transfer";
    fit.unit = "cycles per byte";
    fit.count = static_cast<std::int64_t>(transfers.size());
    if (transfers.empty()) {
        throw models::ModelError("the tables have no transfers",
                                 std::string("the folder of a run such as ") + kCopies);
    }
    std::map<std::int64_t, MeanOfDurations> overheads;
    for (const auto& [element, shapes] : times.contiguous()) {
        if (shapes.empty()) {
            throw models::ModelError(
                fmt::format("the transfers do not tell overhead_cycles_per_byte of memory_logp: no "
                            "transfer of {}-byte elements has a stride of {} bytes",
                            element, element),
                std::string("the folder of a run such as ") + kCopies);
        }
        overheads[element] = overhead_of(times, shapes);
        fit.values.push_back(overhead_value(element, overheads[element]));
    }
    ResidualsOf<TimedTransfer> residuals;
    residuals.group("bytes", "size in bytes", [](const TimedTransfer& transfer) {
        return static_cast<double>(transfer.shape.bytes);
    });
    for (const auto& [shape, cycles] : times.cycles()) {
        const MeanOfDurations& overhead = overheads[shape.element_bytes];
        if (!shape.is_contiguous()) {
            fit.values.push_back(latency_value(shape, times.per_byte(shape), overhead));
            continue;
        }
        for (const double each : cycles) {
            residuals.add({shape, each}, each / static_cast<double>(shape.bytes), overhead.mean);
        }
    }
    residuals.finish(fit);
    add_warnings(times, fit);
    return fit;
}

}  // namespace weir::experiments::analyses
