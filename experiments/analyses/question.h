#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/records/metrics.h"
#include "firmware/kernel.h"
#include "nodes/programming/receive_mode.h"

namespace weir::experiments::analyses {

/// Properties of a machine that models use.
struct MachineView {
    std::vector<int> mesh_extents;
    /// Whether the network is a mesh of wormhole routers without virtual channels.
    bool is_plain_mesh = true;
    int network_copies = 1;  ///< copies of the network that share a node's messages
    nodes::ReceiveMode receive_mode = nodes::ReceiveMode::kInterrupt;
    /// Whether the network has routers; false for delay networks.
    bool network_contends = true;
    double gap_cycles = 0.0;                  ///< g, if the network has a gap
    double channel_cycles_per_byte = 0.5;     ///< G of the channels
    double memory_cycles_per_byte = 0.34375;  ///< Gm of a DMA engine that has the port to itself
    double notify_cycles = 10.0;              ///< time from a header's arrival to the interrupt
    double double_load_cycles = 3.0;          ///< time to load a double from memory, without caches
    double double_store_cycles = 4.0;
    double input_queue_bytes = 256.0;
    bool sends_block = true;     ///< whether sends of bodies hold the processor
    bool receives_block = true;  ///< whether handlers wait for the bodies that they receive

    /// Whether sends and receives of bodies hold the processor.
    [[nodiscard]] bool bodies_block() const { return sends_block && receives_block; }

    [[nodiscard]] int processors() const;
};

/// Inputs of a model: numbers by name. Remembers which numbers the model takes.
class Inputs {
  public:
    explicit Inputs(const records::Metrics& metrics) : metrics_(metrics) {}

    /// The named number; NaN if absent, and then missing() returns the name.
    double take(std::string_view name);
    [[nodiscard]] bool has(std::string_view name) const {
        return records::find_metric(metrics_, name).has_value();
    }
    [[nodiscard]] const records::Metrics& taken() const { return taken_; }
    /// Name of a number that was taken and is absent; empty if there is none.
    [[nodiscard]] const std::string& missing() const { return missing_; }

  private:
    const records::Metrics& metrics_;
    records::Metrics taken_;
    std::string missing_;
};

/// Question to a model about one program on one machine.
struct Question {
    Inputs& inputs;
    const MachineView& machine;
    firmware::Communication communication;
    const firmware::MessagePattern& pattern;
    /// Facts of the kernel's data, for the kernel's own analysis.
    const nlohmann::ordered_json& facts;
    records::Metrics& details;  ///< further outputs of the model
};

/// Names of all numbers that models may take, to check [models.inputs].
const std::vector<std::string>& known_model_inputs();

}  // namespace weir::experiments::analyses
