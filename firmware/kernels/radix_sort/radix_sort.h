#pragma once

#include <cstdint>

#include "firmware/kernels/radix_sort/digit_sort.h"

namespace weir::firmware {

/// Keys sorted digit by digit by messages. In a pass each node sends its counts to all others,
/// works out where its keys begin, and sends every key to its place, in a message of its own: place
/// and key. A pass ends at a node when as many keys have come as it has places.
class RadixSort final : public DigitSort {
  public:
    struct Parameters : DigitSort::Parameters {
        Parameters() : DigitSort::Parameters("radix-sort: keys sorted digit by digit") {}
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    std::unique_ptr<nodes::NodeProgram> program(
        nodes::Processor& processor, const ActiveMessages::Parameters& parameters) override;
    [[nodiscard]] std::uint32_t key_address(std::int64_t pass, std::int32_t /*node*/,
                                            std::int64_t index) const override {
        return key_area(pass) + static_cast<std::uint32_t>(index) * kKeyBytes;
    }

  protected:
    [[nodiscard]] const DigitSort::Parameters& common() const override { return parameters_; }
    void place(const nodes::MachineShape& machine) override {
        check_room(hw::Bytes(places() + digits() * kKeyBytes), machine);
    }

  private:
    class Program;
    // Addresses, the same on every node: keys before and after a pass in turn; all nodes' counts,
    // of one pass and the next in turn, since those of the next come from nodes that are through
    // while others still read those of this one; where this node's next key of each digit goes.
    [[nodiscard]] std::uint32_t key_area(std::int64_t pass) const {
        return static_cast<std::uint32_t>(pass % 2 * keys_each()) * kKeyBytes;
    }
    [[nodiscard]] std::uint32_t counts(std::int64_t pass, std::int64_t node) const {
        const std::int64_t piece = pass % 2 * node_count() + node;
        return static_cast<std::uint32_t>(2 * keys_each() + piece * digits()) * kKeyBytes;
    }
    [[nodiscard]] std::uint32_t places() const { return counts(1, node_count()); }

    Parameters parameters_;
};

}  // namespace weir::firmware
