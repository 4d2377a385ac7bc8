#pragma once

#include "firmware/kernels/record_delivery/record_delivery.h"

namespace weir::firmware {

/// All nodes send records, hot_percent of them to one node and the others to random nodes (LoGPC
/// Section 5): a mixture in each sender. See record_delivery.h.
class HotSpot final : public RecordDelivery {
  public:
    struct Parameters : RecordDelivery::Parameters {
        Parameters()
            : RecordDelivery::Parameters("hot-spot: all nodes send to all, one gets more") {}

        hw::Parameter<double> hot_percent{
            *this,
            "hot_percent",
            20.0,
            {0.0, 100.0},
            "Records for the hot node, of each other node's; the rest go to random others"};
        hw::Parameter<std::int64_t> hot_node{
            *this, "hot_node", 0, {0, 16'383}, "The node that gets more than the others"};
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    [[nodiscard]] Facts facts() const override;

  protected:
    [[nodiscard]] const RecordDelivery::Parameters& common() const override { return parameters_; }
    [[nodiscard]] std::vector<std::int32_t> owners(std::int32_t node,
                                                   hw::RandomStream& stream) const override;
    [[nodiscard]] std::int32_t hot_node() const override {
        return static_cast<std::int32_t>(parameters_.hot_node.value());
    }

  private:
    Parameters parameters_;
};

}  // namespace weir::firmware
