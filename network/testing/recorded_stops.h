#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "hw/tracing/trace_probe.h"

namespace weir::network::testing {

/// Records the stops that network interfaces report; ignores all other events.
class RecordedStops final : public hw::TraceSink {
  public:
    void message(const hw::Message& /*message*/) override {}
    void core_interval(hw::NodeId /*node*/, hw::CoreState /*state*/, hw::Cycles /*begin*/,
                       hw::Cycles /*end*/, hw::MessageId /*message*/) override {}
    void queue_level(hw::NodeId /*node*/, hw::QueueKind /*queue*/, hw::Cycles /*cycle*/,
                     hw::Bytes /*bytes*/, std::int64_t /*messages*/) override {}
    void dma_transfer(const hw::DmaTransfer& /*transfer*/) override {}
    void stall(const hw::Stall& stall) override {
        std::ostringstream text;
        text << stall.node << ": " << stall.begin << "-" << stall.end << ", " << name(stall.waiting)
             << " for " << name(stall.holder);
        stops.push_back(text.str());
    }
    void mark(hw::NodeId /*node*/, std::string_view /*name*/, hw::Cycles /*cycle*/,
              std::int64_t /*value*/) override {}

    /// "node: begin-end, waiting for holder", in the order in which the stops ended. A message is
    /// given by its source and number.
    std::vector<std::string> stops;

  private:
    static std::string name(const hw::MessageId& message) {
        std::ostringstream text;
        text << message.source << "." << message.sequence;
        return text.str();
    }
};

}  // namespace weir::network::testing
