#pragma once

#include <memory>
#include <optional>
#include <span>

#include "experiments/kinds/open_loop/traffic_kind.h"
#include "experiments/records/document.h"
#include "experiments/records/unloaded_distance.h"

namespace weir::experiments::kinds {

/// Value of traffic.pattern for this kind.
inline constexpr const char* kOneAtATime = "one_at_a_time";

/// Unloaded network by distance: one packet at a time between every pair of nodes.
///
/// A message's time is T = T_snd + N + T_rcv (LogP Section 5.2). The kind measures N, the network's
/// term, at each distance and as the mean over all pairs of nodes. It also fits the line through
/// the nearest and the farthest nodes, and measures the largest deviation of any packet from it.
/// Pairs of a node and itself count in LogP's means. They take the line's time at their distance,
/// unless other pairs with that distance were measured.
class OnePacketKind final : public TrafficKind {
  public:
    [[nodiscard]] std::vector<hw::ParameterGroup*> groups(Setup& setup) override;
    /// Null: the run has no steady state.
    [[nodiscard]] hw::ParameterBase* steady_state_length() override { return nullptr; }
    [[nodiscard]] std::int64_t warmup_cycles(const Setup& /*setup*/) const override { return 0; }
    records::SimulationResult run(Setup& setup, const RunRequest& request) override;
    [[nodiscard]] const records::Metric& leading_metric(
        const records::Metrics& measured) const override;
    void ask_models(const AskedPoint& asked, Setup& setup, records::PointResult& point) override;

  private:
    void refuse_traffic_without_meaning(const Setup& setup) const override;
};

std::unique_ptr<Kind> make_one_packet_kind(const setup::ExperimentFile& file,
                                           setup::SelectedRun run);

/// Times by distance from a point's result; empty for other kinds.
[[nodiscard]] records::UnloadedDistances unloaded_distances(const records::PointResult& point);

/// Section with cycles by distance of each point, and unloaded_tables(). The section is absent for
/// other kinds.
[[nodiscard]] std::optional<records::Section> unloaded_section(
    const records::ExperimentResult& result);
/// Tables of all points with one packet at a time, from several experiments. Columns are the
/// network's term of a message's time, and the whole time T beside the formula's and the published
/// T. Absent if no point has one packet at a time.
[[nodiscard]] std::optional<records::Section> unloaded_tables(
    std::span<const records::ExperimentResult> results);

}  // namespace weir::experiments::kinds
