#include "experiments/running/sweeps/points/point_worker.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <system_error>

#include "experiments/records/json_output.h"
#include "experiments/running/processes/exit_status.h"
#include "experiments/running/sweeps/database/sweep_connection.h"
#include "experiments/running/sweeps/points/local_runner.h"

namespace weir::experiments::running {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void throw_errno(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

// Reads `size` bytes; false if the pipe ends before.
bool read_all(int pipe, char* data, std::size_t size) {
    while (size > 0) {
        const ssize_t got = read(pipe, data, size);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return false;
        }
        data += got;
        size -= got;
    }
    return true;
}

bool write_all(int pipe, const char* data, std::size_t size) {
    while (size > 0) {
        const ssize_t written = write(pipe, data, size);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        data += written;
        size -= written;
    }
    return true;
}

// A text is sent as its length and its bytes.
std::optional<std::string> read_text(int pipe) {
    std::uint64_t size = 0;
    if (!read_all(pipe, reinterpret_cast<char*>(&size), sizeof size)) {
        return std::nullopt;
    }
    std::string text(size, '\0');
    return read_all(pipe, text.data(), text.size()) ? std::optional(std::move(text)) : std::nullopt;
}

bool write_text(int pipe, const std::string& text) {
    const std::uint64_t size = text.size();
    return write_all(pipe, reinterpret_cast<const char*>(&size), sizeof size) &&
           write_all(pipe, text.data(), text.size());
}

class OutcomeKept final : public PointRunner::Receiver {
  public:
    void take(const RunRequest& /*request*/, const RunOutcome& outcome) override {
        outcome_ = outcome;
    }
    void progress(const PoolProgress& /*progress*/) override {}

    [[nodiscard]] const std::optional<RunOutcome>& outcome() const { return outcome_; }

  private:
    std::optional<RunOutcome> outcome_;
};

/// Loop of the worker's process.
class Workshop {
  public:
    Workshop(const SweepOptions& options, fs::path scratch_folder)
        : options_(options), scratch_folder_(std::move(scratch_folder)) {}

    [[nodiscard]] WorkAnswer answer(const WorkOrder& order) {
        WorkAnswer answer{order.point, order.seed, WorkAnswer::How::kNowhereToRun, "", {}};
        try {
            OutcomeKept kept;
            const RunRequest request{&planned(order), order.seed};
            if (!LocalRunner(1, scratch_folder_).run(*plan_, {&request, 1}, kept) ||
                !kept.outcome()) {
                answer.how = WorkAnswer::How::kBrokenOff;
                return answer;
            }
            answer.how = WorkAnswer::How::kDone;
            answer.outcome = *kept.outcome();
        } catch (const std::exception& fault) {
            answer.message = fault.what();
        }
        return answer;
    }

  private:
    const PlannedPoint& planned(const WorkOrder& order) {
        if (!plan_) {
            plan_ = std::make_unique<SweepPlan>(make_plan(
                options_.file, options_.presets, options_.set_options, options_.permissions));
        }
        if (plan_->digest() != order.plan_digest) {
            throw SweepError(options_.file.string() +
                             ": its points are not the same for all MPI ranks");
        }
        return plan_->points.at(order.point - 1);
    }

    const SweepOptions& options_;
    fs::path scratch_folder_;
    std::unique_ptr<SweepPlan> plan_;
};

void serve(Workshop workshop, int orders, int answers) {
    while (const std::optional<std::string> order = read_text(orders)) {
        if (!write_text(answers, workshop.answer(WorkOrder::from(*order)).to_text())) {
            return;
        }
    }
}

}  // namespace

std::string WorkOrder::to_text() const {
    return nlohmann::json{{"plan", plan_digest}, {"point", point}, {"seed", seed}}.dump();
}

WorkOrder WorkOrder::from(const std::string& text) {
    const nlohmann::json json = nlohmann::json::parse(text);
    return {json.at("plan"), json.at("point"), json.at("seed")};
}

std::string WorkAnswer::to_text() const {
    const nlohmann::json json{{"point", point},
                              {"seed", seed},
                              {"how", static_cast<int>(how)},
                              {"message", message},
                              {"outcome", running::to_text(outcome)}};
    return records::json_text(json);
}

WorkAnswer WorkAnswer::from(const std::string& text) {
    const nlohmann::json json = nlohmann::json::parse(text);
    return {json.at("point"), json.at("seed"), static_cast<How>(json.at("how").get<int>()),
            json.at("message"), outcome_from(json.at("outcome"))};
}

PointWorker::PointWorker(const SweepOptions& options) : scratch_folder_("weir-sweep") {
    std::array<int, 2> orders{};
    std::array<int, 2> answers{};
    if (pipe2(orders.data(), O_CLOEXEC) != 0 || pipe2(answers.data(), O_CLOEXEC) != 0) {
        throw_errno("pipe");
    }
    process_ = fork();
    if (process_ < 0) {
        throw_errno("fork");
    }
    if (process_ == 0) {
        // The worker ends with its parent, and its children end with it.
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        std::signal(SIGPIPE, SIG_IGN);
        close(orders[1]);
        close(answers[0]);
        try {
            serve({options, scratch_folder_.path()}, orders[0], answers[1]);
        } catch (const std::bad_alloc&) {
            _exit(kRefused);  // the worker must not return to the parent's stack frames
        }
        _exit(0);
    }
    close(orders[0]);
    close(answers[1]);
    orders_ = orders[1];
    answers_ = answers[0];
}

PointWorker::~PointWorker() {
    // Closing its pipe does not end it: workers that were started later have inherited the pipe.
    kill(process_, SIGTERM);
    close(orders_);
    close(answers_);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

void PointWorker::start(const std::string& order) {
    is_busy_ = true;
    if (!write_text(orders_, order)) {
        throw SweepError("a worker's process is gone");
    }
}

std::string PointWorker::answer() {
    std::optional<std::string> text = read_text(answers_);
    is_busy_ = false;
    if (!text) {
        throw SweepError("a worker's process is gone");
    }
    return *std::move(text);
}

std::vector<PointWorker*> PointWorker::answered(std::span<PointWorker* const> workers,
                                                int milliseconds) {
    std::vector<pollfd> polled;
    for (const PointWorker* worker : workers) {
        polled.push_back({worker->is_busy_ ? worker->answers_ : -1, POLLIN, 0});
    }
    poll(polled.data(), polled.size(), milliseconds);
    std::vector<PointWorker*> found;
    for (std::size_t i = 0; i < polled.size(); ++i) {
        if (polled[i].revents != 0) {
            found.push_back(workers[i]);
        }
    }
    return found;
}

}  // namespace weir::experiments::running
