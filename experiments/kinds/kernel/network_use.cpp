#include "experiments/kinds/kernel/network_use.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <string_view>

#include "experiments/records/run_file.h"
#include "hw/text_streams.h"

namespace weir::experiments::kinds {

namespace {

constexpr const char* kChannelColumns = "channel,utilisation";
constexpr const char* kQueueColumns =
    "node,mean_input_bytes,peak_input_bytes,mean_output_bytes,peak_output_bytes";

std::optional<std::int64_t> counter_of(const hw::StatisticsGroup& group, std::string_view name) {
    for (const hw::Counter* counter : group.counters()) {
        if (name == counter->name()) {
            return counter->value();
        }
    }
    return std::nullopt;
}

// The file's lines below its header; none where there is no such file.
std::vector<std::string> rows_of(const std::filesystem::path& path, std::string_view columns) {
    hw::FileReader in(path);
    std::vector<std::string> rows;
    std::string line;
    if (!std::getline(in, line) || line != columns) {
        return rows;
    }
    while (std::getline(in, line)) {
        rows.push_back(line);
    }
    return rows;
}

}  // namespace

records::ChannelUses machine_channel_uses(const network::Network& network,
                                          const network::NetworkParameters& parameters,
                                          hw::Cycles cycles) {
    const double most_flits = static_cast<double>(cycles.count()) *
                              static_cast<double>(parameters.copies.value()) /
                              static_cast<double>(parameters.flit_cycles().count());
    records::ChannelUses uses;
    const std::vector<network::ChannelCount> counts = network.channel_counts(cycles);
    for (const std::string& channel : network.channel_names()) {
        const auto sent = static_cast<double>(counts[uses.size()].sent.count());
        uses.push_back({channel, most_flits > 0.0 ? sent / most_flits : 0.0});
    }
    return uses;
}

QueueUses queue_uses(std::span<const hw::PartStatistics> parts, hw::Cycles cycles) {
    QueueUses uses;
    const auto length = static_cast<double>(std::max<std::int64_t>(1, cycles.count()));
    for (const hw::PartStatistics& part : parts) {
        const auto input = counter_of(*part.group, "input_queue_byte_cycles");
        const auto output = counter_of(*part.group, "output_queue_byte_cycles");
        if (!input || !output) {
            continue;
        }
        uses.push_back({static_cast<std::int32_t>(uses.size()),
                        static_cast<double>(*input) / length,
                        counter_of(*part.group, "input_queue_peak_bytes").value_or(0),
                        static_cast<double>(*output) / length,
                        counter_of(*part.group, "output_queue_peak_bytes").value_or(0)});
    }
    return uses;
}

void write_channels(const records::ChannelUses& uses, const std::filesystem::path& folder) {
    std::string csv = fmt::format("{}\n", kChannelColumns);
    for (const records::ChannelUse& use : uses) {
        csv += fmt::format("\"{}\",{}\n", use.channel, use.utilisation);
    }
    records::write_run_file(folder / "channels.csv", csv);
}

void write_queues(const QueueUses& uses, const std::filesystem::path& folder) {
    std::string csv = fmt::format("{}\n", kQueueColumns);
    for (const QueueUse& use : uses) {
        csv += fmt::format("{},{},{},{},{}\n", use.node, use.mean_input_bytes, use.peak_input_bytes,
                           use.mean_output_bytes, use.peak_output_bytes);
    }
    records::write_run_file(folder / "queues.csv", csv);
}

records::ChannelUses read_channels(const std::filesystem::path& folder) {
    records::ChannelUses uses;
    for (const std::string& row : rows_of(folder / "channels.csv", kChannelColumns)) {
        const std::size_t end = row.rfind("\",");
        double utilisation = 0.0;
        if (row.empty() || row.front() != '"' || end == std::string::npos ||
            std::sscanf(row.c_str() + end + 2, "%lf", &utilisation) != 1) {
            return {};
        }
        uses.push_back({row.substr(1, end - 1), utilisation});
    }
    return uses;
}

QueueUses read_queues(const std::filesystem::path& folder) {
    QueueUses uses;
    for (const std::string& row : rows_of(folder / "queues.csv", kQueueColumns)) {
        QueueUse use;
        long long input = 0;
        long long output = 0;
        constexpr int kFields = 5;
        if (std::sscanf(row.c_str(), "%d,%lf,%lld,%lf,%lld", &use.node, &use.mean_input_bytes,
                        &input, &use.mean_output_bytes, &output) != kFields) {
            return {};
        }
        use.peak_input_bytes = input;
        use.peak_output_bytes = output;
        uses.push_back(use);
    }
    return uses;
}

}  // namespace weir::experiments::kinds
