#include "experiments/running/sweeps/points/local_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

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

// Runs that one worker does: one, or several with a common prefix.
struct Piece {
    std::vector<std::size_t> indices;  // indices of the requests
    std::vector<RunRequest> requests;
    std::vector<std::vector<LaterChange>> changes;  // changes of each run with a prefix
};

class Handover final : public WorkerPool::Watcher {
  public:
    Handover(std::span<const Piece> pieces, const fs::path& scratch_folder,
             PointRunner::Receiver& receiver)
        : pieces_(pieces), scratch_folder_(scratch_folder), receiver_(receiver) {}

    [[nodiscard]] fs::path folder(std::size_t piece) const {
        return scratch_folder_ / fmt::format("run-{}", piece);
    }
    void hand_over(std::size_t index, const RunOutcome& outcome) const {
        records::write_run_file(outcome_file(index), to_text(outcome));
    }

    bool ended(std::size_t piece, const WorkOutcome& work) override {
        const bool is_killed = work.how == WorkOutcome::How::kKilled;
        if (is_killed && !is_interrupted()) {
            fs::remove_all(folder(piece));
            require_room(scratch_folder_);
        } else if (is_killed || work.status == kInterrupted) {
            fs::remove_all(folder(piece));
        } else if (work.status == kNoPlace) {
            throw SweepError(work.message);
        } else if (work.status == kRefused) {
            throw SweepError(folder(piece).string() + ": " + work.message);
        } else if (work.status != kDone) {
            throw std::runtime_error(work.message);
        }
        for (std::size_t i = 0; i < pieces_[piece].indices.size(); ++i) {
            take(pieces_[piece], i, work);
        }
        return true;
    }
    void progress(const PoolProgress& progress) override { receiver_.progress(progress); }

  private:
    [[nodiscard]] fs::path outcome_file(std::size_t index) const {
        return scratch_folder_ / fmt::format("run-{}.json", index);
    }
    void take(const Piece& piece, std::size_t i, const WorkOutcome& work) {
        const fs::path file = outcome_file(piece.indices[i]);
        const bool is_there = fs::exists(file);
        if (!is_there && (work.how != WorkOutcome::How::kKilled || is_interrupted())) {
            return;  // not finished before the interruption
        }
        RunOutcome outcome =
            is_there ? outcome_from(records::text_of_file(file)) : of_killed(work.status);
        if (piece.changes.empty()) {
            outcome.host_seconds = work.seconds;
        }
        fs::remove(file);
        receiver_.take(piece.requests[i], outcome);
    }

    std::span<const Piece> pieces_;
    const fs::path& scratch_folder_;
    PointRunner::Receiver& receiver_;
};

std::vector<Piece> single_runs(std::span<const RunRequest> requests) {
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        pieces.push_back({.indices = {i}, .requests = {requests[i]}, .changes = {}});
    }
    return pieces;
}

std::vector<Piece> runs_with_prefix(const SweepPlan& plan, std::span<const RunRequest> requests,
                                    hw::Cycles cycle) {
    std::map<std::uint64_t, std::vector<std::size_t>> by_seed;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        by_seed[requests[i].seed].push_back(i);
    }
    std::vector<Piece> pieces;
    for (const auto& [seed, indices] : by_seed) {
        std::vector<const PlannedPoint*> points;
        std::map<const PlannedPoint*, std::size_t> index_of;
        for (const std::size_t index : indices) {
            points.push_back(requests[index].point);
            index_of[requests[index].point] = index;
        }
        for (PointsWithPrefix& group : points_with_prefix(plan, points, cycle)) {
            Piece piece{.changes = std::move(group.changes)};
            for (const PlannedPoint* point : group.points) {
                piece.indices.push_back(index_of.at(point));
                piece.requests.push_back(requests[index_of.at(point)]);
            }
            pieces.push_back(std::move(piece));
        }
    }
    return pieces;
}

Piece second_half_of(Piece& piece) {
    const std::size_t half = piece.indices.size() / 2;
    const auto cut = [half](auto& values) {
        std::remove_reference_t<decltype(values)> rest(values.begin() + half, values.end());
        values.resize(half);
        return rest;
    };
    return {.indices = cut(piece.indices),
            .requests = cut(piece.requests),
            .changes = cut(piece.changes)};
}

// Divides pieces until each worker has one, if they have several runs.
std::vector<Piece> divided(std::vector<Piece> pieces, std::size_t workers) {
    while (pieces.size() < workers) {
        const auto longest = std::max_element(pieces.begin(), pieces.end(),
                                              [](const Piece& one, const Piece& other) {
                                                  return one.indices.size() < other.indices.size();
                                              });
        if (longest == pieces.end() || longest->indices.size() < 2) {
            break;
        }
        pieces.push_back(second_half_of(*longest));
    }
    return pieces;
}

// Does a piece in this process; false if it was interrupted. `resume_at` is set for pieces with a
// prefix.
bool is_done(const SweepPlan& plan, const Piece& piece, const Handover& handover,
             const fs::path& folder, const WorkerPool::Report& report,
             std::optional<hw::Cycles> resume_at) {
    if (resume_at) {
        return run_points_from(
            *resume_at, plan, piece.requests, piece.changes, folder, report,
            [&](std::size_t i, const RunOutcome& outcome) {
                handover.hand_over(piece.indices[i], outcome);
            },
            [&](std::size_t i, int signal) {
                handover.hand_over(piece.indices[i], of_killed(signal));
            });
    }
    const auto outcome = run_point(plan, piece.requests.front(), folder, report);
    if (outcome) {
        handover.hand_over(piece.indices.front(), *outcome);
    }
    return outcome.has_value();
}

}  // namespace

bool LocalRunner::run(const SweepPlan& plan, std::span<const RunRequest> requests,
                      Receiver& receiver) {
    const std::vector<Piece> pieces = resume_at_
                                          ? divided(runs_with_prefix(plan, requests, *resume_at_),
                                                    static_cast<std::size_t>(workers_))
                                          : single_runs(requests);
    Handover handover(pieces, scratch_folder_, receiver);
    const auto work = [&](std::size_t number, const WorkerPool::Report& report,
                          std::string& message) {
        const Piece& piece = pieces[number];
        try {
            return is_done(plan, piece, handover, handover.folder(number), report, resume_at_)
                       ? kDone
                       : kInterrupted;
        } catch (const SweepError& fault) {
            message = fault.what();
            return kNoPlace;
        }
    };
    WorkerPool(workers_).run(pieces.size(), work, handover);
    return !is_interrupted();
}

}  // namespace weir::experiments::running
