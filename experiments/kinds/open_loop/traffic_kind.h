#pragma once

#include "experiments/kinds/kind.h"
#include "experiments/kinds/setup.h"
#include "network/traffic/traffic_parameters.h"

namespace weir::experiments::kinds {

/// Value of workload.kernel for traffic without a kernel. Nodes offer packets to the network alone,
/// whether or not it accepts them.
inline constexpr const char* kOpenLoop = "open-loop";

/// Common base of traffic without a machine: parameters, checks, and copies of the network.
class TrafficKind : public Kind {
  public:
    [[nodiscard]] const network::TrafficParameters& traffic() const { return traffic_; }

    [[nodiscard]] std::vector<hw::ParameterGroup*> groups(Setup& setup) override;
    void set_up(const setup::ExperimentFile& file, setup::SelectedRun run, Setup& setup) override;
    [[nodiscard]] std::string family() const final { return "open-loop traffic"; }
    [[nodiscard]] std::string what() const final { return "this traffic"; }
    [[nodiscard]] std::string length_table() const final { return "traffic"; }
    [[nodiscard]] bool is_endless_without_mean() const final { return true; }
    [[nodiscard]] std::int64_t node_memory_bytes(const Setup& /*setup*/) const final { return 0; }
    void elaborate(Setup& setup, const std::filesystem::path& folder,
                   const std::function<void()>& look) final;
    [[nodiscard]] const records::MetricList& metrics() const final;
    [[nodiscard]] const std::vector<std::string>& models() const final;
    [[nodiscard]] const std::vector<std::string>& model_inputs() const final;
    void ask_models(const AskedPoint& asked, Setup& setup, records::PointResult& point) override;

  protected:
    [[nodiscard]] network::TrafficParameters& own_traffic() { return traffic_; }

  private:
    /// Checks the traffic for this network. Throws network::TrafficFault or network::PlanFault.
    virtual void refuse_traffic_without_meaning(const Setup& setup) const = 0;

    network::TrafficParameters traffic_;
};

}  // namespace weir::experiments::kinds
