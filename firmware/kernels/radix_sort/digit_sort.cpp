#include "firmware/kernels/radix_sort/digit_sort.h"

#include <vector>

#include "hw/random_stream.h"

namespace weir::firmware {

std::optional<hw::ParameterGroup::Fault> DigitSort::Parameters::check() const {
    if (key_bits.value() % radix_bits.value() != 0) {
        return Fault{"key_bits",
                     std::to_string(key_bits.value()) + " don't divide into digits of " +
                         std::to_string(radix_bits.value()),
                     "a multiple of workload.radix_bits"};
    }
    return std::nullopt;
}

KeysToSort::Place DigitSort::places_before(std::int64_t pass) const {
    return [this, pass](std::int32_t node, std::int64_t index) {
        return key_address(pass, node, index);
    };
}

void DigitSort::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                        nodes::MemoryAccess& memory) {
    node_count_ = machine.node_count();
    const std::uint64_t bound = std::uint64_t{1} << common().key_bits.value();
    keys_.make(common().keys.value(), node_count_,
               hw::RandomStream(seed, hw::NodeId(0), "radix sort keys"),
               [bound](hw::RandomStream& stream) {
                   return static_cast<std::uint32_t>(stream.below(bound));
               });
    place(machine);
    keys_.write(places_before(0), memory);
}

std::optional<std::string> DigitSort::check(nodes::MemoryAccess& memory) {
    const std::vector<std::int64_t> counts(node_count_, keys_each());
    return keys_.check(counts, places_before(passes()), memory);
}

}  // namespace weir::firmware
