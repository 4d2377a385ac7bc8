#pragma once

#include <memory>
#include <optional>

#include "experiments/kinds/open_loop/traffic_kind.h"
#include "experiments/records/document.h"
#include "experiments/records/result.h"

namespace weir::experiments::kinds {

/// The traffic.pattern of this kind.
inline constexpr const char* kRecording = "recording";

/// Replay of a recording: traffic.recording has the cycles in which another implementation of the
/// same network generated and delivered each packet. Each source has an unlimited queue, as in all
/// traffic. Measured are the packets that arrive in the recorded cycle, and the differences of the
/// others. The first packet that differs is the one with the earliest arrival, in the run or in the
/// recording.
class RecordedTrafficKind final : public TrafficKind {
  public:
    /// A recording fixes the length of its run.
    [[nodiscard]] hw::ParameterBase* steady_state_length() override { return nullptr; }
    [[nodiscard]] std::int64_t warmup_cycles(const Setup& /*setup*/) const override { return 0; }
    records::SimulationResult run(Setup& setup, const RunRequest& request) override;
    [[nodiscard]] const records::Metric& leading_metric(
        const records::Metrics& measured) const override;

  private:
    void refuse_traffic_without_meaning(const Setup& setup) const override;
};

std::unique_ptr<Kind> make_recorded_traffic_kind(const setup::ExperimentFile& file,
                                                 setup::SelectedRun run);

/// Shares of packets in the same cycle, and the first packet that differs, hop by hop. Nothing of
/// other kinds.
[[nodiscard]] std::optional<records::Section> recorded_traffic_section(
    const records::ExperimentResult& result);

}  // namespace weir::experiments::kinds
