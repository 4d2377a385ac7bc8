#include "experiments/bench/emulated_remap.h"

#include <functional>
#include <numeric>
#include <stdexcept>

namespace weir::experiments::bench {

namespace {

void set(hw::ParameterGroup& group, const char* name, const hw::ParameterValue& value) {
    if (!group.find(name)->set(value)) {
        throw std::logic_error(std::string("the benchmark's ") + name + " is not accepted");
    }
}

}  // namespace

EmulatedRemap::EmulatedRemap(const std::vector<std::int64_t>& dimensions, std::int64_t iterations,
                             hw::TraceSink* trace) {
    const std::int64_t nodes =
        std::accumulate(dimensions.begin(), dimensions.end(), std::int64_t{1}, std::multiplies<>());
    set(configuration_.network, "dimensions", dimensions);
    set(configuration_.machine, "nodes", nodes);
    set(remap_.parameters(), "iterations", iterations);
    machine_ = std::make_unique<nodes::Machine>("machine", configuration_, 1, trace);
    remap_.prepare(machine_->shape(), 1, *machine_);
    machine_->load(
        [this](nodes::Processor& processor) { return remap_.program(processor, firmware_); });
}

void EmulatedRemap::run_to_the_end() {
    if (machine_->run({}) != nodes::RunEnd::kFinished || remap_.check(*machine_)) {
        throw std::logic_error("the benchmark's remap went wrong");
    }
}

}  // namespace weir::experiments::bench
