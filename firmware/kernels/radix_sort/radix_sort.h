#pragma once

#include <cstdint>

#include "firmware/kernels/radix_sort/digit_sort.h"

namespace weir::firmware {

/// Radix sort by messages. In a pass each node sends its counts to all others, and computes the
/// positions of its keys. It sends every key to its position in a message of its own (position and
/// key). A pass ends at a node when a key has arrived for each of its positions.
class RadixSort final : public DigitSort {
  public:
    struct Parameters : DigitSort::Parameters {
        Parameters() : DigitSort::Parameters("radix-sort: keys sorted digit by digit") {}
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    [[nodiscard]] std::uint32_t key_address(std::int64_t pass, std::int32_t /*node*/,
                                            std::int64_t index) const override {
        return key_area(pass) + static_cast<std::uint32_t>(index) * kKeyBytes;
    }

  protected:
    [[nodiscard]] const DigitSort::Parameters& common() const override { return parameters_; }
    void place(const nodes::MachineShape& machine) override;

  private:
    class Program;
    // The following addresses are equal on every node. Keys are in two areas, which swap after each
    // pass. Counts of all nodes are in two areas too. A node that has ended a pass sends its counts
    // of the next pass while others still read this pass's. places() has, for each digit, the
    // position of this node's next key.
    [[nodiscard]] std::uint32_t key_area(std::int64_t pass) const {
        return static_cast<std::uint32_t>(pass % 2 * keys_each()) * kKeyBytes;
    }
    [[nodiscard]] std::uint32_t counts(std::int64_t pass, std::int64_t node) const {
        const std::int64_t piece = pass % 2 * node_count_ + node;
        return static_cast<std::uint32_t>(2 * keys_each() + piece * digits()) * kKeyBytes;
    }
    [[nodiscard]] std::uint32_t places() const { return counts(1, node_count_); }

    Parameters parameters_;
};

}  // namespace weir::firmware
