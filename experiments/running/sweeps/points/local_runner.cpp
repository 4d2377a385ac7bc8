#include "experiments/running/sweeps/points/local_runner.h"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>

#include "experiments/records/run_file.h"
#include "experiments/running/processes/exit_status.h"
#include "experiments/running/processes/interruption.h"
#include "experiments/running/sweeps/database/sweep_connection.h"

namespace weir::experiments::running {

namespace {

namespace fs = std::filesystem;

// Exit statuses of a worker's process; a run's outcome is in a file.
constexpr int kDone = 0;
constexpr int kNoPlace = 2;

RunOutcome of_killed(int signal) {
    RunOutcome outcome;
    outcome.is_killed = true;
    outcome.exit_status = signal;
    outcome.message =
        fmt::format("the process was killed by signal {} ({})", signal, strsignal(signal));
    return outcome;
}

class Handover final : public WorkerPool::Watcher {
  public:
    Handover(std::span<const RunRequest> requests, const fs::path& scratch_folder,
             PointRunner::Receiver& receiver)
        : requests_(requests), scratch_folder_(scratch_folder), receiver_(receiver) {}

    [[nodiscard]] fs::path folder(std::size_t index) const {
        return scratch_folder_ / fmt::format("run-{}", index);
    }
    [[nodiscard]] fs::path outcome_file(std::size_t index) const {
        return scratch_folder_ / fmt::format("run-{}.json", index);
    }

    bool ended(std::size_t index, const WorkOutcome& work) override {
        const bool is_killed = work.how == WorkOutcome::How::kKilled;
        if (is_killed && is_interrupted()) {
            return true;
        }
        if (is_killed) {
            fs::remove_all(folder(index));
            require_room(scratch_folder_);
        } else if (work.status == kInterrupted) {
            fs::remove_all(folder(index));
            return true;
        } else if (work.status == kNoPlace) {
            throw SweepError(work.message);
        } else if (work.status == kRefused) {
            throw SweepError(folder(index).string() + ": " + work.message);
        } else if (work.status != kDone) {
            throw std::runtime_error(work.message);
        }
        RunOutcome outcome = is_killed ? of_killed(work.status)
                                       : outcome_from(records::text_of_file(outcome_file(index)));
        outcome.host_seconds = work.seconds;
        fs::remove(outcome_file(index));
        receiver_.take(requests_[index], outcome);
        return true;
    }
    void progress(const PoolProgress& progress) override { receiver_.progress(progress); }

  private:
    std::span<const RunRequest> requests_;
    const fs::path& scratch_folder_;
    PointRunner::Receiver& receiver_;
};

}  // namespace

bool LocalRunner::run(const SweepPlan& plan, std::span<const RunRequest> requests,
                      Receiver& receiver) {
    Handover handover(requests, scratch_folder_, receiver);
    const auto work = [&](std::size_t index, const WorkerPool::Report& report,
                          std::string& message) {
        try {
            const std::optional<RunOutcome> outcome =
                run_point(plan, requests[index], handover.folder(index), report);
            if (!outcome) {
                return kInterrupted;
            }
            records::write_run_file(handover.outcome_file(index), to_text(*outcome));
            return kDone;
        } catch (const SweepError& fault) {
            message = fault.what();
            return kNoPlace;
        }
    };
    WorkerPool(workers_).run(requests.size(), work, handover);
    return !is_interrupted();
}

}  // namespace weir::experiments::running
