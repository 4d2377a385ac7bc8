#pragma once

#include <cstdint>
#include <vector>

#include "network/router/allocator.h"
#include "network/router/arbiter.h"

namespace weir::network {

/// A separable allocator whose inputs choose first (Becker 2012, Section 2.2), as in his router's
/// RTL (vcr_vc_alloc_sep_if.v, vcr_sw_alloc_sep_if.v).
///
/// Virtual channel allocation:
///  1. Each input virtual channel chooses one of the outputs that it requests: first a port, then a
///     virtual channel of this port.
///  2. Each output virtual channel chooses one of the inputs that have chosen it: first a virtual
///     channel for each input port, then a port.
///
/// Switch allocation:
///  1. Each input port chooses one of its virtual channels.
///  2. Each output port chooses one of the input ports that request it.
///
/// Each choice has its own arbiter, whose state changes only if both steps grant the request. An
/// input whose chosen output goes to another input gets no output in this cycle.
class InputFirstAllocator final : public Allocator {
  public:
    explicit InputFirstAllocator(const Design& design);

    void allocate_vcs(Requests requests, Grants& grants) override;
    void allocate_switch(Requests requests, Grants& grants) override;

  private:
    struct InputVirtualChannel {
        std::int32_t last_port;
        std::int32_t last_channel;  // virtual channel of the last granted output
        First chosen;               // request
        std::int32_t chosen_port = First::kNone;
    };
    struct OutputVirtualChannel {
        std::int32_t last_port;
        std::vector<std::int32_t> last_channels;  // last winner of each input port
        std::vector<First> channels;              // requests
        First port;                               // request
    };
    struct InputPort {
        std::int32_t last_channel;
        First channel;  // request
    };
    struct OutputPort {
        std::int32_t last_port;
        First port;  // request
    };

    [[nodiscard]] std::int32_t port_of(std::int32_t vc) const { return vc / design_.vcs; }
    [[nodiscard]] std::int32_t channel_of(std::int32_t vc) const { return vc % design_.vcs; }
    [[nodiscard]] std::int64_t rank(std::int32_t asking, std::int32_t last_winner,
                                    std::int32_t count, std::int64_t since) const {
        return rank_of(design_.arbitration, asking, last_winner, count, since);
    }
    void choose_output_vcs(Requests requests);

    Design design_;
    std::vector<InputVirtualChannel> input_vcs_;
    std::vector<OutputVirtualChannel> output_vcs_;
    std::vector<InputPort> input_ports_;
    std::vector<OutputPort> output_ports_;
    std::vector<std::int32_t> asking_;  // numbers of the requesting inputs in this cycle
    std::vector<std::int32_t> asked_;
};

[[nodiscard]] const AllocatorKind& input_first_allocator_kind();

}  // namespace weir::network
