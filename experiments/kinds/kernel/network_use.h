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

/// Utilisation of each physical channel in the first `cycles` cycles of a machine, as the mean over
/// copies of the network.
[[nodiscard]] records::ChannelUses machine_channel_uses(
    const network::Network& network, const network::NetworkParameters& parameters,
    hw::Cycles cycles);

/// Use of queues from the statistics of a machine's controllers; empty if queues are unlimited.
[[nodiscard]] QueueUses queue_uses(std::span<const hw::PartStatistics> parts, hw::Cycles cycles);

/// Writes channels.csv.
void write_channels(const records::ChannelUses& uses, const std::filesystem::path& folder);
/// Writes queues.csv.
void write_queues(const QueueUses& uses, const std::filesystem::path& folder);

/// Read the files of write_channels() and write_queues(). The result is empty if a file is missing,
/// or if another program wrote it.
[[nodiscard]] records::ChannelUses read_channels(const std::filesystem::path& folder);
[[nodiscard]] QueueUses read_queues(const std::filesystem::path& folder);

}  // namespace weir::experiments::kinds
