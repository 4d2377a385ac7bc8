#pragma once

#include <memory>

#include "experiments/kinds/kernel/kernel_kind.h"

namespace weir::experiments::kinds {

/// What workload.kernel names where the messages of a stored trace are sent again.
inline constexpr const char* kReplay = "replay";

/// The messages of a stored trace on the machine of this experiment, at the network's ends with
/// their queues and engines (replay_kernel.h). What the machine's processors and their firmware
/// cost has no effect, since the recorded times stand for it: presets may say it, the experiment
/// may not. A run leaves what a kernel's run leaves.
class ReplayKind final : public KernelKind {
  public:
    ReplayKind();

    [[nodiscard]] std::vector<hw::ParameterGroup*> groups(Setup& setup) override;
    void set_up(const setup::ExperimentFile& file, setup::SelectedRun run, Setup& setup) override;
    [[nodiscard]] const records::MetricList& metrics() const override;
};

std::unique_ptr<Kind> make_replay_kind(const setup::ExperimentFile& file, setup::SelectedRun run);

}  // namespace weir::experiments::kinds
