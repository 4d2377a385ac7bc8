#pragma once

#include <memory>
#include <optional>

#include "experiments/kinds/open_loop/traffic_kind.h"
#include "experiments/records/document.h"
#include "experiments/records/result.h"

namespace weir::experiments::kinds {

/// The traffic.pattern of this kind.
inline constexpr const char* kRecording = "recording";

/// The packets of a recording, sent once more: traffic.recording has when each was generated and
/// when it arrived in another implementation of the same network. Each source has a queue without
/// limit, from which it sends as in all traffic; what is measured is which packets arrive in the
/// same cycle, and how far the others are off. The first packet that differs is the one whose
/// earlier arrival, here or there, is the earliest of all.
class RecordedTrafficKind final : public TrafficKind {
  public:
    /// It is as long as it was.
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
