#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "experiments/records/channel_use.h"
#include "hw/statistics.h"
#include "hw/units.h"
#include "network/network_parameters.h"

namespace weir::network {
class Network;
}

namespace weir::experiments::kinds {

using records::QueueUse;
using records::QueueUses;

/// How busy each physical channel was in the first `cycles` cycles of a machine, copies of the
/// network together.
[[nodiscard]] records::ChannelUses machine_channel_uses(
    const network::Network& network, const network::NetworkParameters& parameters,
    hw::Cycles cycles);

/// From the statistics of a machine's controllers; none where its queues are without end.
[[nodiscard]] QueueUses queue_uses(std::span<const hw::PartStatistics> parts, hw::Cycles cycles);

/// channels.csv
void write_channels(const records::ChannelUses& uses, const std::filesystem::path& folder);
/// queues.csv
void write_queues(const QueueUses& uses, const std::filesystem::path& folder);

/// What write_channels() and write_queues() left in the folder; nothing where it has no such file,
/// or one that others wrote.
[[nodiscard]] records::ChannelUses read_channels(const std::filesystem::path& folder);
[[nodiscard]] QueueUses read_queues(const std::filesystem::path& folder);

}  // namespace weir::experiments::kinds
