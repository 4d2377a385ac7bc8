#pragma once

#include <memory>

#include "experiments/kinds/open_loop/traffic_kind.h"
#include "experiments/records/channel_use.h"

namespace weir::experiments::kinds {

/// Key of a point's particulars with the names of the busiest channels, by seed.
inline constexpr const char* kBusiestChannels = "busiest_channels";

/// Packets that nodes offer at a load or from a file. A run also leaves channels.csv.
class OpenLoopKind : public TrafficKind {
  public:
    [[nodiscard]] hw::ParameterBase* steady_state_length() override;
    [[nodiscard]] std::int64_t warmup_cycles(const Setup& setup) const override;
    records::SimulationResult run(Setup& setup, const RunRequest& request) override;
    [[nodiscard]] const records::Metric& leading_metric(
        const records::Metrics& measured) const override;
    void ask_models(const AskedPoint& asked, Setup& setup, records::PointResult& point) override;
    void finish(records::ExperimentResult& result) const override;

  private:
    void refuse_traffic_without_meaning(const Setup& setup) const override;
};

std::unique_ptr<Kind> make_open_loop_kind(const setup::ExperimentFile& file,
                                          setup::SelectedRun run);

/// Utilisation of channels from a result's particulars; empty for other kinds.
[[nodiscard]] records::ChannelUses channel_uses(const records::Particulars& particulars);

}  // namespace weir::experiments::kinds
