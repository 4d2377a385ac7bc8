#pragma once

#include <memory>
#include <optional>

#include "experiments/kinds/open_loop/traffic_kind.h"
#include "experiments/records/document.h"
#include "experiments/records/result.h"

namespace weir::experiments::kinds {

/// Value of traffic.pattern that selects this kind.
inline constexpr const char* kRecording = "recording";

/// Replay of a recording: the file traffic.recording has the cycles in which another implementation
/// of the same network generated and delivered each packet. The run sends the same packets and
/// compares their arrival cycles. Each source has an unlimited queue, as in all open-loop traffic.
/// Metrics: share of packets that arrive in the recorded cycle, and differences of the others.
/// The first packet that differs has the earliest arrival, in the run or in the recording.
class RecordedTrafficKind final : public TrafficKind {
  public:
    /// Null: the recording determines the length of the run.
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

/// Page section: share of packets that arrive in the recorded cycle, and the route of the first
/// packet that differs. The section is absent for other kinds.
[[nodiscard]] std::optional<records::Section> recorded_traffic_section(
    const records::ExperimentResult& result);

}  // namespace weir::experiments::kinds
