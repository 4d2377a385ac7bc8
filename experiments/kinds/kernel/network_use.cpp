#include "experiments/kinds/kernel/network_use.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "experiments/records/csv_input.h"
#include "experiments/records/run_file.h"
#include "network/network.h"

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
    const records::CsvInput table(folder / "channels.csv", kChannelColumns);
    records::ChannelUses uses;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        uses.push_back({table.text(row, 0), table.number(row, 1)});
    }
    return uses;
}

QueueUses read_queues(const std::filesystem::path& folder) {
    const records::CsvInput table(folder / "queues.csv", kQueueColumns);
    QueueUses uses;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        uses.push_back({static_cast<std::int32_t>(table.whole_number(row, 0, 0, INT32_MAX)),
                        table.number(row, 1), table.whole_number(row, 2), table.number(row, 3),
                        table.whole_number(row, 4)});
    }
    return uses;
}

}  // namespace weir::experiments::kinds
