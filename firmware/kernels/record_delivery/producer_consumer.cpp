#include "firmware/kernels/record_delivery/producer_consumer.h"

#include <cmath>

namespace weir::firmware {

std::optional<hw::ParameterGroup::Fault> ProducerConsumer::Parameters::check() const {
    if (consumers.value() == 1 && hot_percent.value() < 100.0) {
        return Fault{"hot_percent", "leaves producers without a consumer, of which there is one",
                     "100, or workload.consumers of 2 or more"};
    }
    return RecordDelivery::Parameters::check();
}

// Every so many producers one, so that they lie all over the machine.
bool ProducerConsumer::is_hot(std::int64_t producer) const {
    const double share = parameters_.hot_percent.value() / 100.0;
    const auto before = static_cast<double>(producer);
    return std::floor((before + 1.0) * share) > std::floor(before * share);
}

std::vector<std::int32_t> ProducerConsumer::owners(std::int32_t node,
                                                   hw::RandomStream& stream) const {
    const std::int64_t consumers = parameters_.consumers.value();
    if (consumers >= node_count()) {
        throw InputFault("workload.consumers",
                         "found " + std::to_string(consumers) + " on " +
                             std::to_string(node_count()) + " nodes, which leaves no producer",
                         "1 to " + std::to_string(node_count() - 1));
    }
    if (node < consumers) {
        return {};
    }
    std::vector<std::int32_t> owners(parameters_.records.value());
    if (is_hot(node - consumers)) {
        return owners;  // node 0's, all of them
    }
    for (std::int32_t& owner : owners) {
        owner =
            1 + static_cast<std::int32_t>(stream.below(static_cast<std::uint64_t>(consumers - 1)));
    }
    return owners;
}

RecordDelivery::Facts ProducerConsumer::facts() const {
    Facts facts = RecordDelivery::facts();
    facts.consumers = static_cast<double>(parameters_.consumers.value());
    for (std::int64_t p = 0; p < node_count() - parameters_.consumers.value(); ++p) {
        facts.hot_producers += is_hot(p) ? 1.0 : 0.0;
    }
    return facts;
}

}  // namespace weir::firmware
