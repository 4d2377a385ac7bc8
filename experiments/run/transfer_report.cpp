#include "experiments/run/transfer_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/config/wrapped_text.h"
#include "experiments/run/picture.h"

namespace weir::experiments::run {

namespace {

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

// So many of them, evenly, with the first and the last.
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

std::string what_is_moved(const MeasuredTransfers& transfers) {
    return fmt::format("{} of {}s", transfers.front().kind,
                       transfers.front().element_bytes == 4 ? "word" : "double");
}

std::string cycles_table(const MeasuredTransfers& transfers) {
    constexpr std::size_t kMostStrides = 10;
    const auto strides =
        thinned(sorted_values(transfers, &MeasuredTransfer::stride_bytes), kMostStrides);
    std::string page =
        fmt::format("{}: cycles a byte (o + l)\n  {:>8}", what_is_moved(transfers), "stride");
    for (const std::int64_t stride : strides) {
        page += fmt::format("{:>7}", size_text(stride));
    }
    page += "\n";
    for (const std::int64_t bytes : sorted_values(transfers, &MeasuredTransfer::bytes)) {
        page += fmt::format("  {:>8}", size_text(bytes));
        for (const std::int64_t stride : strides) {
            const MeasuredTransfer* transfer = transfer_at(transfers, bytes, stride);
            page += transfer != nullptr ? fmt::format("{:>7.2f}", transfer->cycles_per_byte)
                                        : fmt::format("{:>7}", "-");
        }
        page += "\n";
    }
    return page;
}

// Neighbouring sizes whose cycles a byte are alike, at one stride.
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
            text += fmt::format("{}{:.2f} from {} to {}", text.empty() ? "" : ", ",
                                (plateau.least + plateau.most) / 2.0, size_text(plateau.first),
                                size_text(plateau.last));
        }
    }
    return text.empty() ? "" : fmt::format("stride {}: {}", size_text(stride), text);
}

std::string plateau_lines(const MeasuredTransfers& transfers) {
    constexpr std::size_t kStridesShown = 3;
    std::string lines;
    for (const std::int64_t stride :
         thinned(sorted_values(transfers, &MeasuredTransfer::stride_bytes), kStridesShown)) {
        const std::string text = plateaus(transfers, stride);
        lines += text.empty() ? "" : config::wrapped(text, "  ", "    ");
    }
    return lines.empty() ? ""
                         : "plateaus, cycles a byte within 5 % over two sizes or more\n" + lines;
}

std::string errors_table(const MeasuredTransfers& transfers) {
    constexpr double kNear = 5.0;
    std::string rows;
    for (const std::string& model : kTransferModels) {
        const MeasuredTransfer* worst = nullptr;
        double above = -100.0;
        double below = INFINITY;
        double farthest = -1.0;
        std::size_t near = 0;
        for (const MeasuredTransfer& transfer : transfers) {
            for (const TransferPrediction& prediction : transfer.predictions) {
                if (prediction.model != model) {
                    continue;
                }
                const double error = prediction.error_percent;
                above = std::max(above, error);
                below = std::min(below, error);
                near += std::abs(error) <= kNear ? 1 : 0;
                if (std::abs(error) > farthest) {
                    farthest = std::abs(error);
                    worst = &transfer;
                }
            }
        }
        if (worst == nullptr) {
            continue;
        }
        std::string name = model;
        std::replace(name.begin(), name.end(), '_', ' ');
        rows += fmt::format("  {:<19}{:>+8.1f} %{:>+8.1f} %{:>7} of {:<5}{:>8}, stride {}\n", name,
                            above, below, near, transfers.size(), size_text(worst->bytes),
                            size_text(worst->stride_bytes));
    }
    return rows.empty() ? ""
                        : fmt::format("{:<21}{:>10}{:>10}{:>15}  {}\n", "predictions of o + l",
                                      "above", "below", "within 5 %", "farthest off") +
                              rows;
}

// A scale of which every doubling takes the same length.
double doublings(double value, double first) { return std::log2(value / first); }

constexpr double kLeft = 70.0;  // pixels, as all lengths here
constexpr double kRight = 110.0;
constexpr double kTop = 50.0;
constexpr double kBottom = 50.0;

}  // namespace

std::string transfer_report(const MeasuredTransfers& transfers) {
    if (transfers.empty()) {
        return "";
    }
    std::string page = cycles_table(transfers) + "\n";
    for (const std::string& part : {plateau_lines(transfers), errors_table(transfers)}) {
        page += part.empty() ? "" : part + "\n";
    }
    return page;
}

std::string transfer_curves_picture(const MeasuredTransfers& transfers, const std::string& title) {
    const auto sizes = sorted_values(transfers, &MeasuredTransfer::bytes);
    const auto strides = sorted_values(transfers, &MeasuredTransfer::stride_bytes);
    if (sizes.size() < 2) {
        return "";
    }
    constexpr double kWidth = 560.0;
    constexpr double kHeight = 360.0;
    double least = INFINITY;
    double most = 0.0;
    for (const MeasuredTransfer& transfer : transfers) {
        least = std::min(least, transfer.cycles_per_byte);
        most = std::max(most, transfer.cycles_per_byte);
    }
    // Whole powers of two.
    least = std::exp2(std::floor(std::log2(least)));
    most = std::max(2.0 * least, std::exp2(std::ceil(std::log2(most))));
    const auto first = static_cast<double>(sizes.front());
    const double across = doublings(static_cast<double>(sizes.back()), first);
    const double up = doublings(most, least);
    const auto x = [&](double bytes) { return kLeft + kWidth * doublings(bytes, first) / across; };
    const auto y = [&](double cycles) {
        return kTop + kHeight * (1.0 - doublings(cycles, least) / up);
    };
    std::string svg = picture_begin(
        kLeft + kWidth + kRight, kTop + kHeight + kBottom, title,
        ".g{stroke:#ddd}.l{fill:none;stroke-width:1.5}.e{font-size:11px;text-anchor:end}");
    constexpr std::size_t kMostLabels = 9;
    for (std::size_t i = 0; i < sizes.size(); i += (sizes.size() + kMostLabels - 1) / kMostLabels) {
        const double at = x(static_cast<double>(sizes[i]));
        svg += fmt::format(
            "<path class=\"g\" d=\"M{0:.1f} {1:.1f}V{2:.1f}\"/><text class=\"k\" "
            "x=\"{0:.1f}\" y=\"{3:.1f}\">{4}</text>\n",
            at, kTop, kTop + kHeight, kTop + kHeight + 18.0, size_text(sizes[i]));
    }
    for (double cycles = least; cycles <= most; cycles *= 2.0) {
        svg += fmt::format(
            "<path class=\"g\" d=\"M{0:.1f} {1:.1f}H{2:.1f}\"/><text class=\"e\" "
            "x=\"{3:.1f}\" y=\"{4:.1f}\">{5}</text>\n",
            kLeft, y(cycles), kLeft + kWidth, kLeft - 6.0, y(cycles) + 4.0, cycles);
    }
    svg += fmt::format("<text class=\"k\" x=\"{:.1f}\" y=\"{:.1f}\">bytes moved</text>\n",
                       kLeft + kWidth / 2.0, kTop + kHeight + 38.0);
    svg += fmt::format(
        "<text class=\"k\" transform=\"translate(18 {:.1f}) rotate(-90)\">cycles a byte</text>\n",
        kTop + kHeight / 2.0);
    for (std::size_t i = 0; i < strides.size(); ++i) {
        // The lightest colours don't show on white.
        const std::string colour = heat_colour(0.25 + 0.75 * static_cast<double>(i + 1) /
                                                          static_cast<double>(strides.size()));
        std::string points;
        std::string dots;
        for (const std::int64_t bytes : sizes) {
            const MeasuredTransfer* transfer = transfer_at(transfers, bytes, strides[i]);
            if (transfer == nullptr) {
                continue;
            }
            const double at_x = x(static_cast<double>(bytes));
            const double at_y = y(transfer->cycles_per_byte);
            points += fmt::format("{}{:.1f} {:.1f}", points.empty() ? "M" : "L", at_x, at_y);
            dots += fmt::format(
                "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"><title>{}, stride {}: {:.3f} cycles a "
                "byte</title></circle>",
                at_x, at_y, size_text(bytes), size_text(strides[i]), transfer->cycles_per_byte);
        }
        svg += fmt::format("<path class=\"l\" stroke=\"{0}\" d=\"{1}\"/><g fill=\"{0}\">{2}</g>\n",
                           colour, points, dots);
        const double row = kTop + 22.0 + 16.0 * static_cast<double>(i);
        svg += fmt::format(
            "<path stroke=\"{}\" stroke-width=\"4\" d=\"M{:.1f} {:.1f}h16\"/><text x=\"{:.1f}\" "
            "y=\"{:.1f}\">{}</text>\n",
            colour, kLeft + kWidth + 14.0, row - 4.0, kLeft + kWidth + 36.0, row,
            size_text(strides[i]));
    }
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">stride</text>\n", kLeft + kWidth + 14.0,
                       kTop + 4.0);
    return svg + "</svg>\n";
}

std::string latency_heat_map_picture(const MeasuredTransfers& transfers, const std::string& title) {
    MeasuredTransfers shown;
    double most = 0.0;
    for (const MeasuredTransfer& transfer : transfers) {
        if (const auto latency = transfer.latency_cycles_per_byte()) {
            shown.push_back(transfer);
            most = std::max(most, *latency);
        }
    }
    if (shown.empty() || most == 0.0) {
        return "";
    }
    constexpr double kCellWidth = 46.0;
    constexpr double kCellHeight = 24.0;
    constexpr double kBelowKey = 84.0;
    const auto sizes = sorted_values(shown, &MeasuredTransfer::bytes);
    const auto strides = sorted_values(shown, &MeasuredTransfer::stride_bytes);
    const double width = kCellWidth * static_cast<double>(sizes.size());
    const double height = kCellHeight * static_cast<double>(strides.size());
    std::string svg =
        picture_begin(std::max(kLeft + width + 20.0, 380.0), kBelowKey + height + kBottom, title,
                      ".e{font-size:11px;text-anchor:end}.w{fill:white}");
    svg += colour_key(
        30.0, 40.0,
        {"0", fmt::format("{:.1f}", most / 2.0), fmt::format("{:.1f} cycles a byte", most)});
    for (std::size_t row = 0; row < strides.size(); ++row) {
        // Large strides on top, as an axis has them.
        const double top = kBelowKey + height - kCellHeight * static_cast<double>(row + 1);
        svg += fmt::format("<text class=\"e\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", kLeft - 6.0,
                           top + 16.0, size_text(strides[row]));
        for (std::size_t column = 0; column < sizes.size(); ++column) {
            const MeasuredTransfer* transfer = transfer_at(shown, sizes[column], strides[row]);
            if (transfer == nullptr) {
                continue;
            }
            const double latency = *transfer->latency_cycles_per_byte();
            const double left = kLeft + kCellWidth * static_cast<double>(column);
            svg += fmt::format(
                "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.0f}\" height=\"{:.0f}\" fill=\"{}\"/>"
                "<text class=\"k{}\" x=\"{:.1f}\" y=\"{:.1f}\">{:.1f}</text>\n",
                left, top, kCellWidth, kCellHeight, heat_colour(latency / most),
                latency > most / 2.0 ? " w" : "", left + kCellWidth / 2.0, top + 16.0, latency);
        }
    }
    for (std::size_t column = 0; column < sizes.size(); ++column) {
        svg += fmt::format("<text class=\"k\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                           kLeft + kCellWidth * (static_cast<double>(column) + 0.5),
                           kBelowKey + height + 18.0, size_text(sizes[column]));
    }
    svg += fmt::format("<text class=\"k\" x=\"{:.1f}\" y=\"{:.1f}\">bytes moved</text>\n",
                       kLeft + width / 2.0, kBelowKey + height + 38.0);
    svg += fmt::format(
        "<text class=\"k\" transform=\"translate(18 {:.1f}) rotate(-90)\">stride</text>\n",
        kBelowKey + height / 2.0);
    return svg + "</svg>\n";
}

}  // namespace weir::experiments::run
