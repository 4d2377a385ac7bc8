#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "experiments/run/channel_use.h"
#include "hw/statistics.h"
#include "hw/units.h"
#include "network/network.h"
#include "network/network_parameters.h"

namespace weir::experiments::run {

/// How full a node's two queues were over a whole run.
struct QueueUse {
    std::int32_t node = 0;
    double mean_input_bytes = 0.0;  ///< over all cycles
    std::int64_t peak_input_bytes = 0;
    double mean_output_bytes = 0.0;
    std::int64_t peak_output_bytes = 0;
};
/// By node.
using QueueUses = std::vector<QueueUse>;

/// How busy each physical channel was in the first `cycles` cycles of a machine, copies of the
/// network together.
[[nodiscard]] ChannelUses machine_channel_uses(const network::Network& network,
                                               const network::NetworkParameters& parameters,
                                               hw::Cycles cycles);

/// From the statistics of a machine's controllers; none where its queues are without end.
[[nodiscard]] QueueUses queue_uses(std::span<const hw::PartStatistics> parts, hw::Cycles cycles);

/// channels.csv
void write_channels(const ChannelUses& uses, const std::filesystem::path& folder);
/// queues.csv
void write_queues(const QueueUses& uses, const std::filesystem::path& folder);

/// What write_channels() and write_queues() left in the folder; nothing where it has no such file,
/// or one that others wrote.
[[nodiscard]] ChannelUses read_channels(const std::filesystem::path& folder);
[[nodiscard]] QueueUses read_queues(const std::filesystem::path& folder);

}  // namespace weir::experiments::run
