#include "experiments/running/clusters/ranked_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>

#include "experiments/running/sweeps/database/sweep_connection.h"

namespace weir::experiments::running {

namespace {

// Interval at which a rank checks its workers and its messages: a wait inside MPI would occupy a
// core.
constexpr int kPollMilliseconds = 5;
constexpr const char* kGoHome = "";

std::vector<std::unique_ptr<PointWorker>> started_workers(const SweepOptions& options) {
    std::vector<std::unique_ptr<PointWorker>> workers;
    workers.reserve(options.workers);
    for (int i = 0; i < options.workers; ++i) {
        workers.push_back(std::make_unique<PointWorker>(options));
    }
    return workers;
}

PointWorker& free_one(const std::vector<PointWorker*>& workers) {
    return **std::find_if(workers.begin(), workers.end(),
                          [](const PointWorker* worker) { return !worker->is_busy(); });
}

// Answer of a worker; a fault of the worker becomes its text. The first rank decides what follows.
std::string answer_or_fault(PointWorker& worker) {
    try {
        return worker.answer();
    } catch (const SweepError& fault) {
        return WorkAnswer{0, 0, WorkAnswer::How::kNowhereToRun, fault.what(), {}}.to_text();
    }
}

}  // namespace

/// Distribution of runs: number of running runs per rank, and the answers. All ranks have the same
/// number of workers.
class RankedRunner::Distribution {
  public:
    Distribution(const MpiRanks& ranks, const std::vector<PointWorker*>& own, const SweepPlan& plan,
                 std::span<const RunRequest> requests, PointRunner::Receiver& receiver)
        : ranks_(ranks),
          own_(own),
          plan_digest_(plan.digest()),
          count_(requests.size()),
          receiver_(receiver),
          running_(ranks.count(), 0) {
        for (const RunRequest& request : requests) {
            requests_.emplace(std::pair{request.point->number, request.seed}, request);
            waiting_.push_back(request);
        }
    }

    [[nodiscard]] bool is_over() const { return ended_ == count_ || (is_broken_off_ && idle()); }
    [[nodiscard]] bool is_broken_off() const { return is_broken_off_; }

    /// Gives a run to every free worker, one rank after the other.
    void hand_out() {
        for (std::size_t slot = 0; slot < own_.size(); ++slot) {
            for (std::size_t rank = 0; rank < running_.size(); ++rank) {
                if (running_[rank] <= slot && !waiting_.empty() && !is_broken_off_) {
                    send(rank, waiting_.front());
                    waiting_.pop_front();
                }
            }
        }
    }

    void take(std::size_t rank, const std::string& text) {
        --running_[rank];
        const WorkAnswer answer = WorkAnswer::from(text);
        if (answer.how == WorkAnswer::How::kBrokenOff) {
            is_broken_off_ = true;
            return;
        }
        if (answer.how == WorkAnswer::How::kNowhereToRun) {
            throw SweepError(fmt::format("MPI rank {}: {}", rank, answer.message));
        }
        ++ended_;
        cycles_ += static_cast<double>(answer.outcome.cycles);
        ended_seconds_ += answer.outcome.host_seconds;
        receiver_.take(requests_.at({answer.point, answer.seed}), answer.outcome);
    }

    void show_progress() {
        const std::chrono::duration<double> since = std::chrono::steady_clock::now() - begin_;
        const double share =
            count_ == 0 ? 1.0 : static_cast<double>(ended_) / static_cast<double>(count_);
        receiver_.progress({.count = count_,
                            .ended = ended_,
                            .share_done = share,
                            .simulated_cycles = cycles_,
                            .seconds = since.count(),
                            .ended_seconds = ended_seconds_,
                            .workers = own_.size() * running_.size()});
    }

  private:
    [[nodiscard]] bool idle() const {
        return std::all_of(running_.begin(), running_.end(),
                           [](std::size_t runs) { return runs == 0; });
    }

    void send(std::size_t rank, const RunRequest& request) {
        const std::string order =
            WorkOrder{plan_digest_, request.point->number, request.seed}.to_text();
        ++running_[rank];
        if (rank == 0) {
            free_one(own_).start(order);
        } else {
            ranks_.send(static_cast<int>(rank), order);
        }
    }

    const MpiRanks& ranks_;
    const std::vector<PointWorker*>& own_;
    std::string plan_digest_;
    std::size_t count_;
    PointRunner::Receiver& receiver_;
    std::vector<std::size_t> running_;  ///< number of running runs, by rank
    std::map<std::pair<std::size_t, std::uint64_t>, RunRequest> requests_;
    std::deque<RunRequest> waiting_;
    std::size_t ended_ = 0;
    double cycles_ = 0.0;
    double ended_seconds_ = 0.0;
    bool is_broken_off_ = false;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

RankedRunner::RankedRunner(const SweepOptions& options) : workers_(started_workers(options)) {}

RankedRunner::~RankedRunner() {
    for (int rank = 1; is_first() && rank < ranks(); ++rank) {
        ranks_.send(rank, kGoHome);
    }
    // Receives what ranks still send: they wait for that before MPI ends.
    workers_.clear();
    for (int home = 1; is_first() && home < ranks();) {
        const std::optional<MpiRanks::Message> message = ranks_.receive();
        home += message && message->text == kGoHome ? 1 : 0;
    }
}

std::vector<PointWorker*> RankedRunner::workers() const {
    std::vector<PointWorker*> pointers;
    for (const std::unique_ptr<PointWorker>& worker : workers_) {
        pointers.push_back(worker.get());
    }
    return pointers;
}

bool RankedRunner::run(const SweepPlan& plan, std::span<const RunRequest> requests,
                       Receiver& receiver) {
    const std::vector<PointWorker*> own = workers();
    Distribution distribution(ranks_, own, plan, requests, receiver);
    while (!distribution.is_over()) {
        distribution.hand_out();
        for (PointWorker* worker : PointWorker::answered(own, kPollMilliseconds)) {
            distribution.take(0, worker->answer());
        }
        while (const std::optional<MpiRanks::Message> message = ranks_.receive()) {
            distribution.take(message->from, message->text);
        }
        distribution.show_progress();
    }
    return !distribution.is_broken_off();
}

void RankedRunner::serve() {
    const std::vector<PointWorker*> own = workers();
    while (true) {
        while (const std::optional<MpiRanks::Message> message = ranks_.receive()) {
            if (message->text == kGoHome) {
                ranks_.send(0, kGoHome);
                return;
            }
            free_one(own).start(message->text);
        }
        for (PointWorker* worker : PointWorker::answered(own, kPollMilliseconds)) {
            ranks_.send(0, answer_or_fault(*worker));
        }
    }
}

bool has_served(const SweepOptions& options, std::optional<RankedRunner>& ranked) {
    if (MpiRanks::started() <= 1) {
        return false;
    }
    ranked.emplace(options);
    if (!ranked->is_first()) {
        ranked->serve();
    }
    return !ranked->is_first();
}

}  // namespace weir::experiments::running
