#pragma once

#include <memory>
#include <vector>

#include "firmware/kernels/remap/remap.h"
#include "nodes/machine.h"

namespace weir::experiments::bench {

/// An Alewife of any size that runs LoGPC's synchronous remap with two argument words and no work.
class EmulatedRemap {
  public:
    /// `iterations` is the number of iterations of each node.
    EmulatedRemap(const std::vector<std::int64_t>& dimensions, std::int64_t iterations,
                  hw::TraceSink* trace, std::size_t tiles = 1);

    /// Simulates all cycles up to and including `last`.
    void run_through(std::int64_t last) { machine_->clock().run_until(hw::Cycles(last)); }
    /// Simulates to the end. Throws std::logic_error unless every message arrived and was answered.
    void run_to_the_end();

    [[nodiscard]] std::int64_t flit_hops() const { return machine_->network().flit_hops(); }
    [[nodiscard]] nodes::Machine& machine() { return *machine_; }
    [[nodiscard]] const firmware::Kernel& kernel() const { return remap_; }
    [[nodiscard]] const nodes::MachineConfiguration& configuration() const {
        return configuration_;
    }

  private:
    nodes::MachineConfiguration configuration_;
    firmware::ActiveMessages::Parameters firmware_;
    firmware::Remap remap_;
    std::unique_ptr<nodes::Machine> machine_;
};

}  // namespace weir::experiments::bench
