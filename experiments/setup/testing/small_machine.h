#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw/parameter.h"
#include "hw/units.h"

namespace weir::experiments::setup {

// A machine with three parameter tables and two kernels, and a parameter of every type.

struct NetworkParameters : hw::ParameterGroup {
    enum class Routing { kDimensionOrder, kAdaptive };

    NetworkParameters() : ParameterGroup("network", "The mesh between the nodes.") {}

    hw::Parameter<hw::Cycles> hop_cycles{
        *this, "hop_cycles", 1, {1, 64}, "Cycles a header takes from router to router.", "Paper A"};
    hw::Parameter<std::vector<std::int64_t>> dimensions{
        *this, "dimensions", {4, 8}, {1, 64}, "Nodes in each dimension."};
    hw::Choice<Routing> routing{
        *this,
        "routing",
        Routing::kDimensionOrder,
        {{Routing::kDimensionOrder, "dimension_order"}, {Routing::kAdaptive, "adaptive"}},
        "Who decides the next hop."};

    [[nodiscard]] std::optional<Fault> check() const override {
        const std::vector<std::int64_t> nodes = dimensions.value();
        if (nodes.size() > 2) {
            return Fault{"dimensions", "a mesh has one or two dimensions"};
        }
        if (routing.value() == Routing::kAdaptive && hop_cycles.value() < hw::Cycles(2)) {
            return Fault{"hop_cycles", "adaptive routing needs 2 cycles a hop"};
        }
        return std::nullopt;
    }
};

struct ControllerParameters : hw::ParameterGroup {
    ControllerParameters() : ParameterGroup("controller", "The message controller of a node.") {}

    hw::Parameter<hw::Bytes> queue_bytes{*this, "queue_bytes", 256, {16, 65536}, "Queue size."};
    hw::Parameter<double> dma_cycles_per_byte{
        *this, "dma_cycles_per_byte", 0.25, {0.0, 8.0}, "What one DMA alone takes for a byte."};
    hw::Parameter<bool> overflow_trap{
        *this, "overflow_trap", false, {}, "Whether a full input queue is drained to memory."};
};

struct TraceFileParameters : hw::ParameterGroup {
    TraceFileParameters() : ParameterGroup("trace", "What a run writes down.") {}

    hw::Parameter<std::string> file{*this, "file", "trace.sqlite", {}, "The trace's file."};
};

struct SpmvParameters : hw::ParameterGroup {
    SpmvParameters() : ParameterGroup("workload", "A product.") {}

    hw::Parameter<hw::FilePath> matrix{*this, "matrix", "", {}, "The matrix."};
};

struct RemapParameters : hw::ParameterGroup {
    RemapParameters() : ParameterGroup("workload", "All nodes exchange their data.") {}

    hw::Parameter<std::int64_t> messages{*this, "messages", 100, {1, 1000000}, "Messages a node."};
};

struct FftParameters : hw::ParameterGroup {
    FftParameters() : ParameterGroup("workload", "A Fourier transform.") {}

    hw::Parameter<std::int64_t> samples{*this, "samples", 1024, {2, 1048576}, "Length."};
};

/// One group for each table and kernel.
struct SmallMachine {
    NetworkParameters network;
    ControllerParameters controller;
    TraceFileParameters trace;
    RemapParameters remap;
    FftParameters fft;
    SpmvParameters spmv;
    std::vector<hw::ParameterGroup*> remap_machine = {&network, &controller, &trace, &remap};
};

}  // namespace weir::experiments::setup
