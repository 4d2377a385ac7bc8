#pragma once

#include "firmware/kernels/record_delivery/record_delivery.h"

namespace weir::firmware {

/// Producers send records to consumers (LoGPC Section 5): the first nodes consume, the others
/// produce. hot_percent of the producers send all their records to the first consumer, the others
/// theirs to random ones of the other consumers: flows that share nothing but the network. See
/// record_delivery.h.
class ProducerConsumer final : public RecordDelivery {
  public:
    struct Parameters : RecordDelivery::Parameters {
        Parameters()
            : RecordDelivery::Parameters("producer-consumer: producers send to consumers") {}

        hw::Parameter<std::int64_t> consumers{
            *this, "consumers", 8, {1, 16'383}, "Nodes that consume; the others are producers"};
        hw::Parameter<double> hot_percent{
            *this,
            "hot_percent",
            50.0,
            {0.0, 100.0},
            "Producers that send to the first consumer alone, spread evenly over all; the others "
            "send to the other consumers"};

        [[nodiscard]] std::optional<Fault> check() const override;
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    [[nodiscard]] Facts facts() const override;

  protected:
    [[nodiscard]] const RecordDelivery::Parameters& common() const override { return parameters_; }
    [[nodiscard]] std::vector<std::int32_t> owners(std::int32_t node,
                                                   hw::RandomStream& stream) const override;
    [[nodiscard]] std::int32_t hot_node() const override { return 0; }

  private:
    [[nodiscard]] bool is_hot(std::int64_t producer) const;

    Parameters parameters_;
};

}  // namespace weir::firmware
