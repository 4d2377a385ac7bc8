#include "experiments/bench/emulated_remap.h"

#include <functional>
#include <numeric>
#include <stdexcept>

#include "experiments/bench/fixed_parameter.h"

namespace weir::experiments::bench {

EmulatedRemap::EmulatedRemap(const std::vector<std::int64_t>& dimensions, std::int64_t iterations,
                             hw::TraceSink* trace, std::size_t tiles) {
    const std::int64_t nodes =
        std::accumulate(dimensions.begin(), dimensions.end(), std::int64_t{1}, std::multiplies<>());
    fix(configuration_.network, "dimensions", dimensions);
    fix(configuration_.machine, "nodes", nodes);
    fix(configuration_.network, "tiles", static_cast<std::int64_t>(tiles));
    fix(remap_.parameters(), "iterations", iterations);
    machine_ = std::make_unique<nodes::Machine>("machine", configuration_, 1, trace);
    remap_.prepare(machine_->shape(), 1, *machine_);
    machine_->load(
        [this](nodes::Processor& processor) { return remap_.program(processor, firmware_); });
}

void EmulatedRemap::run_to_the_end() {
    if (machine_->run({}) != nodes::RunEnd::kFinished || remap_.check(*machine_)) {
        throw std::logic_error("the benchmark's remap did not finish, or its check failed");
    }
}

}  // namespace weir::experiments::bench
