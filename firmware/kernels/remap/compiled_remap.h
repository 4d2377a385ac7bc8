#pragma once

#include "firmware/kernels/remap/remap.h"
#include "firmware/sparcle/compiled_kernel.h"
#include "hw/per_node.h"

namespace weir::firmware {

/// remap.c on Sparcle nodes, with its twin's destinations and work times. A node replies with the
/// number of the request and a word of its own. The check: every message arrived once, and every
/// reply has the right answer. With body_bytes also: every body arrived unchanged. Each body has
/// memory of its own at the receiver, so receive_buffers have no effect. All replies of a node have
/// the same body.
class CompiledRemap final : public TwinKernel<Remap> {
  protected:
    [[nodiscard]] ElfImage load_image() override;
    void write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                    ImageMemory& memory) override;
    [[nodiscard]] std::optional<std::string> check_answer(ImageMemory& memory) override;

  private:
    /// Addresses of a node's records.
    struct Records {
        std::uint32_t replies = 0;              // words, by iteration
        std::vector<std::uint32_t> deliveries;  // bytes, by requester and iteration
        std::uint32_t stride = 0;               // distance between bodies
        std::uint32_t reply_bodies = 0;         // by iteration
        std::uint32_t bodies = 0;               // bodies of requests or messages, in the order of
                                                // arrival
        std::uint32_t origins = 0;              // words: origin of each of these bodies
        std::size_t body_count = 0;             // number of these bodies
    };
    [[nodiscard]] std::vector<std::uint32_t> body(std::int32_t sender, std::uint32_t iteration);
    void write_bodies(ImageMemory& memory, hw::NodeId node, std::uint64_t seed,
                      std::size_t handlers);
    [[nodiscard]] std::optional<std::string> fault_of_bodies(ImageMemory& memory);

    std::uint64_t seed_ = 0;
    std::size_t iterations_ = 0;
    bool synchronous_ = false;
    std::vector<std::vector<std::uint16_t>> destinations_;  // by node, iteration
    std::vector<std::uint32_t> keys_;                       // by node
    hw::PerNode<Records> records_;                          // by node
};

}  // namespace weir::firmware
