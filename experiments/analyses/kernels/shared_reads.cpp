#include "firmware/kernels/shared_reads/shared_reads.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <tuple>
#include <vector>

#include "experiments/analyses/compared_models/compared_model.h"
#include "experiments/analyses/kernels/analysis_of.h"
#include "experiments/analyses/kernels/registry.h"
#include "experiments/models/lopc/lopc_nonblocking.h"
#include "experiments/models/lopc/lopc_shared_memory.h"
#include "experiments/models/model_error.h"
#include "hw/controller/controller_registers.h"
#include "memory/coherence/coherence_parameters.h"
#include "nodes/machine.h"

namespace weir::firmware {
WEIR_JSON_FIELDS(SharedReads::Facts, reads, threads, work_cycles, prefetched_reads, homes)
}  // namespace weir::firmware

namespace weir::experiments::analyses {

namespace {

using firmware::SharedReads;

struct SharedReadsMetrics final : records::MetricGroup {
    records::Metric cycles_per_read{*this, "cycles_per_read", "cycles",
                                    "Time of a node for its work and a read of another node's "
                                    "memory, while all nodes are reading",
                                    "LoPC Section 3.2: R"};
    records::Metric read_contention{
        *this, "read_contention_cycles", "cycles",
        "Contention of a read of another node's memory: its time less that of an uncontended read",
        "LoPC Section 4.4: C"};
    records::Metric trapped_share{
        *this, "trapped_reads_share", "1",
        "Share of reads of other nodes' memories that the home's software serves"};
    records::Metric trap{*this, "read_trap_cycles", "cycles",
                         "Processor time of the home's software for a trapped read; mean of traps "
                         "that serve one read",
                         "T_s"};
    records::Metric traps_together{
        *this, "reads_per_trap", "1",
        "Mean number of reads that one trap of a home's processor serves"};
    records::Metric directory_waiting{*this, "directory_waiting_cycles", "cycles",
                                      "Time that a read waits for its home's directory"};
    records::Metric trap_waiting{*this, "trap_waiting_cycles", "cycles",
                                 "Time that a trapped read waits for its home's processor"};
    records::Metric channel_waiting{
        *this, "channel_waiting_cycles", "cycles",
        "Time that a reply waits for the channel from its home into the network"};
};

double number(hw::Cycles cycles) { return static_cast<double>(cycles.count()); }

bool is_read_of_another_node(const hw::SharedTransaction& one) {
    return one.node != one.home && one.use < hw::kNever;
}

/// Minimum of the values added so far; empty if none was added.
class Least {
  public:
    void add(double value) { least_ = least_ ? std::min(*least_, value) : value; }
    [[nodiscard]] std::optional<double> value() const { return least_; }

  private:
    std::optional<double> least_;
};

/// Time of the hops between two nodes of a mesh, in cycles. On other networks it is 0, so that an
/// uncontended time, a minimum over all pairs, is that of the nearest pair.
class Distances {
  public:
    explicit Distances(const TracedRun& run)
        : hop_cycles_(run.machine.network.is_plain_mesh()
                          ? number(run.machine.network.hop_cycles.value())
                          : 0.0),
          extents_(run.machine.network.neighbour_extents(run.node_count)) {}

    [[nodiscard]] double cycles(hw::NodeId from, hw::NodeId to) const {
        std::int32_t a = from.index();
        std::int32_t b = to.index();
        std::int32_t hops = 0;
        for (const std::int32_t extent : extents_) {
            hops += std::abs(a % extent - b % extent);
            a /= extent;
            b /= extent;
        }
        return hop_cycles_ * hops;
    }

  private:
    double hop_cycles_;
    std::vector<std::int32_t> extents_;
};

/// Time of an uncontended read of another node. Every part is constant except for the distance, so
/// each part is the minimum over all reads of the run. A part is known if it was uncontended in one
/// read.
class UncontendedRead {
  public:
    UncontendedRead(const TracedRun& run, double work_cycles) : distances_(run) {
        std::vector<std::optional<hw::Cycles>> used(run.node_count);
        for (const hw::SharedTransaction& one : run.trace.transactions) {
            if (!is_read_of_another_node(one) || one.is_prefetch) {
                continue;
            }
            ++reads_;
            const double hops = distances_.cycles(one.node, one.home);
            hop_cycles_ += hops;
            request_way_.add(number(one.home_arrival - one.asked) - hops);
            reply_way_.add(number(one.fill - one.reply) - hops);
            miss_.add(number(one.first_asked - one.begin));
            use_.add(number(one.use - one.fill));
            if (!one.is_trapped) {
                directory_.add(number(one.reply - one.home_begin));
            }
            std::optional<hw::Cycles>& last = used[one.node.index()];
            if (last) {
                hit_.add(number(one.begin - *last) - work_cycles);
            }
            last = one.use;
        }
    }

    [[nodiscard]] bool is_known() const { return directory_.value() && hit_.value(); }
    /// Time of the thread for a read: from the miss to the request, and from the reply's arrival to
    /// the next read.
    [[nodiscard]] double access_cycles() const {
        return *miss_.value() + *use_.value() + *hit_.value();
    }
    /// Network latency of request and reply, for the mean distance of the homes.
    [[nodiscard]] double ways_cycles() const {
        return *request_way_.value() + *reply_way_.value() +
               2.0 * hop_cycles_ / static_cast<double>(reads_);
    }
    [[nodiscard]] double directory_cycles() const { return *directory_.value(); }
    /// Time from the miss to the arrival of the line.
    [[nodiscard]] double latency_cycles() const {
        return *miss_.value() + ways_cycles() + directory_cycles();
    }

  private:
    Distances distances_;
    std::int64_t reads_ = 0;
    double hop_cycles_ = 0.0;
    Least request_way_;
    Least reply_way_;
    Least miss_;
    Least use_;
    Least hit_;
    Least directory_;
};

/// Times of the homes' software in traps that served one read alone: the processor time, and its
/// part after the reply was sent. Traps that serve several reads share entry and exit.
class LoneTraps {
  public:
    explicit LoneTraps(const TracedRun& run) {
        for (const hw::SharedTransaction& one : run.trace.transactions) {
            if (one.is_trapped && one.reply < hw::kNever) {
                requests_.push_back({one.home, one.home_begin, one.line, one.reply});
            }
        }
        std::ranges::sort(requests_, {}, &Request::key);
        std::vector<const hw::CoherenceTrap*> traps;
        for (const hw::CoherenceTrap& trap : run.trace.coherence_traps) {
            if (trap.end < hw::kNever) {
                traps.push_back(&trap);
            }
        }
        std::ranges::sort(traps, {}, [](const auto* trap) {
            return std::tuple(trap->node.index(), trap->end.count());
        });
        for (std::size_t first = 0; first < traps.size();) {
            const auto interval = interval_of(run, *traps[first]);
            std::size_t next = first + 1;
            while (interval && next < traps.size() && traps[next]->node == traps[first]->node &&
                   traps[next]->end <= interval->end) {
                ++next;
            }
            if (interval) {
                visits_ += 1.0;
                served_ += static_cast<double>(next - first);
                if (next == first + 1) {
                    add(*traps[first], *interval);
                }
            }
            first = next;
        }
    }

    [[nodiscard]] bool is_known() const { return count_ > 0.0; }
    /// Processor time of a trap, T_s
    [[nodiscard]] double cycles() const { return cycles_ / count_; }
    /// Time from the start of the home's service to the reply.
    [[nodiscard]] double reply_cycles() const { return reply_cycles_ / count_; }
    [[nodiscard]] double reads_per_trap() const { return visits_ > 0.0 ? served_ / visits_ : 0.0; }

  private:
    struct Request {
        hw::NodeId home;
        hw::Cycles begin;
        std::int64_t line;
        hw::Cycles reply;

        [[nodiscard]] std::tuple<std::int32_t, std::int64_t, std::int64_t> key() const {
            return {home.index(), begin.count(), line};
        }
    };

    static std::optional<trace::CoreIntervalRow> interval_of(const TracedRun& run,
                                                             const hw::CoherenceTrap& trap) {
        for (const trace::CoreIntervalRow& row :
             trace::IntervalCursor(run.trace).from(trap.node, trap.begin)) {
            if (row.begin > trap.end) {
                break;
            }
            if (row.state == hw::CoreState::kTrap && row.begin <= trap.end && row.end >= trap.end) {
                return row;
            }
        }
        return std::nullopt;
    }

    void add(const hw::CoherenceTrap& trap, const trace::CoreIntervalRow& interval) {
        const Request wanted{trap.node, trap.raised, trap.line, {}};
        const auto found = std::ranges::lower_bound(requests_, wanted.key(), {}, &Request::key);
        if (found != requests_.end() && found->key() == wanted.key()) {
            count_ += 1.0;
            cycles_ += number(interval.end - interval.begin);
            reply_cycles_ += number(found->reply - found->begin);
        }
    }

    std::vector<Request> requests_;
    double count_ = 0.0;
    double cycles_ = 0.0;
    double reply_cycles_ = 0.0;
    double visits_ = 0.0;
    double served_ = 0.0;
};

/// Reads of other nodes' memories while all nodes with such reads are active. The interval begins
/// when the first node has made a tenth of its reads, and ends when the first has made all.
class SteadyReads {
  public:
    explicit SteadyReads(const TracedRun& run) {
        std::vector<std::vector<hw::Cycles>> uses(run.node_count);
        for (const hw::SharedTransaction& one : run.trace.transactions) {
            if (is_read_of_another_node(one)) {
                uses[one.node.index()].push_back(one.use);
            }
        }
        // A node without remote reads is the only home of all lines.
        std::erase_if(uses, [](const auto& of_node) { return of_node.empty(); });
        for (std::vector<hw::Cycles>& of_node : uses) {
            std::ranges::sort(of_node);
            begin_ = std::min(begin_, of_node[of_node.size() / 10]);
            end_ = std::min(end_, of_node.back());
        }
        for (const hw::SharedTransaction& one : run.trace.transactions) {
            if (is_read_of_another_node(one) && one.use > begin_ && one.use <= end_) {
                count_ += 1.0;
                trapped_ += one.is_trapped ? 1.0 : 0.0;
            }
        }
        asking_ = static_cast<double>(uses.size());
    }

    [[nodiscard]] bool any() const { return count_ > 0.0; }
    /// Mean time of a node for one read.
    [[nodiscard]] double cycles_per_read() const {
        return asking_ * number(end_ - begin_) / count_;
    }
    [[nodiscard]] double trapped_share() const { return trapped_ / count_; }

  private:
    hw::Cycles begin_ = hw::kNever;
    hw::Cycles end_ = hw::kNever;
    double asking_ = 0.0;
    double count_ = 0.0;
    double trapped_ = 0.0;
};

/// Channel time of a reply of 24 bytes, in whole flits.
double reply_channel_cycles(const nodes::MachineConfiguration& machine) {
    const std::int64_t bytes = WEIR_HEADER_BYTES + memory::kSharedLineBytes.count();
    const std::int64_t flit = machine.network.flit_bytes.value().count();
    const std::int64_t flits = (bytes + flit - 1) / flit;
    return static_cast<double>(flits) * number(machine.network.flit_cycles());
}

class SharedReadsAnalysis final : public WithMetrics<SharedReadsMetrics, AnalysisOf<SharedReads>> {
  public:
    [[nodiscard]] const records::Metric* leading_metric() const override {
        return &records::declared<SharedReadsMetrics>().cycles_per_read;
    }

    void measure(const TracedRun& run, records::Measured& measured) const override {
        const auto& m = records::declared<SharedReadsMetrics>();
        const Facts facts = facts_of(run.facts);
        const SteadyReads steady(run);
        const UncontendedRead read(run, facts.work_cycles);
        if (!steady.any()) {
            return;
        }
        add(measured.metrics, m.cycles_per_read, steady.cycles_per_read());
        add(measured.metrics, m.trapped_share, steady.trapped_share());
        if (!read.is_known()) {
            return;
        }
        give(measured, "work_cycles", facts.work_cycles);
        if (has_several_reads(facts)) {
            give_threads(run, facts, read, measured);
            return;
        }
        const double fill = number(run.machine.coherence.cache_cycles.value());
        give(measured, "access_cycles", read.access_cycles());
        give(measured, "latency_cycles", (read.ways_cycles() - fill) / 2.0);
        give(measured, "directory_cycles", read.directory_cycles());
        give(measured, "fill_cycles", fill);
        give(measured, "reply_channel_cycles", reply_channel_cycles(run.machine));
        give(measured, "trapped_share", steady.trapped_share());
        double uncontended =
            facts.work_cycles + read.access_cycles() + read.ways_cycles() + read.directory_cycles();
        if (steady.trapped_share() > 0.0) {
            const LoneTraps traps(run);
            add(measured.metrics, m.traps_together, traps.reads_per_trap());
            if (!traps.is_known()) {
                return;
            }
            add(measured.metrics, m.trap, traps.cycles());
            const double until_reply = traps.reply_cycles() - read.directory_cycles();
            give(measured, "trap_cycles", traps.cycles());
            give(measured, "trap_after_reply_cycles", std::max(0.0, traps.cycles() - until_reply));
            uncontended += steady.trapped_share() * until_reply;
        }
        add(measured.metrics, m.read_contention, steady.cycles_per_read() - uncontended);
    }

    // Predictions of a read of another node's memory: LogP, LoPC with two classes, and the bound
    // for threads that switch context.
    [[nodiscard]] std::optional<double> ask(std::string_view model,
                                            Question& question) const override {
        const Facts facts = facts_of(question.facts);
        if (model == "logp") {
            require_one_read_at_a_time(facts);
            return facts.reads * logp(question);
        }
        if (model == "lopc" || model == "lopc_channels") {
            require_one_read_at_a_time(facts);
            return facts.reads * lopc(model == "lopc_channels", facts, question);
        }
        if (model == "multithreading") {
            return facts.reads * multithreading(facts, question);
        }
        if (model == "lopc_nonblocking") {
            return facts.reads * nonblocking_lopc(facts, question);
        }
        return std::nullopt;
    }

    void add_to(records::Prediction& prediction, double answer,
                const nlohmann::ordered_json& facts) const override {
        add(prediction.metrics, records::declared<SharedReadsMetrics>().cycles_per_read,
            answer / facts_of(facts).reads);
    }

  private:
    static bool has_several_reads(const Facts& facts) {
        return facts.threads > 1.0 || facts.prefetched_reads > 0.0;
    }

    static void give(records::Measured& measured, const char* name, double value) {
        measured.model_inputs.emplace_back(name, value);
    }

    static void give_threads(const TracedRun& run, const Facts& facts, const UncontendedRead& read,
                             records::Measured& measured) {
        give(measured, "run_length_cycles",
             facts.work_cycles + number(run.machine.memory.load_cycles.value()));
        give(measured, "read_latency_cycles", read.latency_cycles());
        give(measured, "switch_cycles", number(run.machine.core.context_switch_cycles.value()));
        give(measured, "directory_cycles", read.directory_cycles());
        give(measured, "fill_cycles", number(run.machine.coherence.cache_cycles.value()));
    }

    static void require_one_read_at_a_time(const Facts& facts) {
        if (has_several_reads(facts)) {
            throw models::ModelError(
                "assumes threads that wait for each request; here a node has several under way");
        }
    }

    // 2L + 4o (LogP Section 3.2). The four overheads are the reader's miss and hit, the directory
    // and the fill.
    static double logp(Question& question) {
        Inputs& inputs = question.inputs;
        const double overheads = inputs.take("access_cycles") + inputs.take("directory_cycles") +
                                 inputs.take("fill_cycles");
        return inputs.take("work_cycles") + 2.0 * inputs.take("latency_cycles") + overheads;
    }

    static double lopc(bool with_channels, const Facts& facts, Question& question) {
        Inputs& inputs = question.inputs;
        const int processors = question.machine.processors();
        const auto homes = static_cast<int>(facts.homes);
        models::LopcSharedMemoryInputs asked;
        asked.visits = models::lopc_visits_of_homes(processors, homes == 0 ? processors : homes);
        asked.work_cycles = inputs.take("work_cycles") + inputs.take("access_cycles");
        asked.network_cycles = inputs.take("latency_cycles");
        asked.directory_cycles = inputs.take("directory_cycles");
        asked.fill_cycles = inputs.take("fill_cycles");
        asked.trapped_share = inputs.take("trapped_share");
        if (asked.trapped_share > 0.0) {
            asked.trap_cycles = inputs.take("trap_cycles");
            asked.trap_after_reply_cycles = inputs.take("trap_after_reply_cycles");
        }
        if (with_channels) {
            asked.reply_channel_cycles = inputs.take("reply_channel_cycles");
        }
        const models::LopcSharedMemorySolution solution = models::solve_lopc_shared_memory(asked);
        const auto& m = records::declared<SharedReadsMetrics>();
        add(question.details, m.read_contention,
            solution.response_cycles - solution.contention_free_cycles);
        add(question.details, m.directory_waiting, solution.directory_waiting_cycles);
        if (asked.trapped_share > 0.0) {
            add(question.details, m.trap_waiting, solution.trap_waiting_cycles);
        }
        if (with_channels) {
            add(question.details, m.channel_waiting, solution.channel_waiting_cycles);
        }
        return solution.response_cycles;
    }

    // A node's reads queue for directories and for its own thread. The directories are the hardware
    // of their nodes, beside the threads (LoPC Section 4.2).
    static double nonblocking_lopc(const Facts& facts, Question& question) {
        require_threads(facts);
        Inputs& inputs = question.inputs;
        const double directory = inputs.take("directory_cycles");
        const double fill = inputs.take("fill_cycles");
        return models::solve_lopc_nonblocking(
                   {.processors = question.machine.processors(),
                    .outstanding_requests = facts.threads,
                    .work_cycles = inputs.take("run_length_cycles") + inputs.take("switch_cycles"),
                    .network_cycles = (inputs.take("read_latency_cycles") - directory - fill) / 2.0,
                    .request_handler_cycles = directory,
                    .reply_handler_cycles = fill,
                    .protocol_processor = true})
            .cycles_per_request;
    }

    static void require_threads(const Facts& facts) {
        if (facts.threads < 2.0 || facts.prefetched_reads > 0.0) {
            throw models::ModelError(
                "applies to a node's threads that wait for their reads in turn");
        }
    }

    // Run length R, latency L, context switch C: a node with N threads takes (R + L)/N for each
    // read, and at least R + C.
    static double multithreading(const Facts& facts, Question& question) {
        require_threads(facts);
        Inputs& inputs = question.inputs;
        const double run_length = inputs.take("run_length_cycles");
        const double latency = inputs.take("read_latency_cycles");
        return std::max((run_length + latency) / facts.threads,
                        run_length + inputs.take("switch_cycles"));
    }
};

}  // namespace

std::unique_ptr<KernelAnalysis> shared_reads_analysis() {
    return std::make_unique<SharedReadsAnalysis>();
}

}  // namespace weir::experiments::analyses
