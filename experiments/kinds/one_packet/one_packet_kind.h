#pragma once

#include <memory>
#include <optional>
#include <span>

#include "experiments/kinds/open_loop/traffic_kind.h"
#include "experiments/records/document.h"
#include "experiments/records/unloaded_distance.h"

namespace weir::experiments::kinds {

/// The traffic.pattern of this kind.
inline constexpr const char* kOneAtATime = "one_at_a_time";

/// The unloaded network, hop by hop: a packet at a time between every pair of nodes.
///
/// A message's time is T = T_snd + N + T_rcv (LogP Section 5.2). N, the network's term, is what is
/// measured: at each distance; the line through the nearest and the farthest, and how far any
/// packet is off it; at the mean distance, as the mean over all pairs of nodes. Nodes that are
/// their own receivers (LogP's means count them) have the time that the line has at their distance,
/// unless others with the same were measured.
class OnePacketKind final : public TrafficKind {
  public:
    [[nodiscard]] std::vector<hw::ParameterGroup*> groups(Setup& setup) override;
    /// Nothing to be steady.
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

/// What a point's result holds of distances; none of other kinds.
[[nodiscard]] records::UnloadedDistances unloaded_distances(const records::PointResult& point);

/// Cycles by distance of each point, and unloaded_tables(). Nothing of other kinds.
[[nodiscard]] std::optional<records::Section> unloaded_section(
    const records::ExperimentResult& result);
/// The tables of all points of some experiments at which packets came one at a time: the network's
/// term of a message's time, and the whole time T beside the formula's and the published one.
/// Nothing where there are none.
[[nodiscard]] std::optional<records::Section> unloaded_tables(
    std::span<const records::ExperimentResult> results);

}  // namespace weir::experiments::kinds
