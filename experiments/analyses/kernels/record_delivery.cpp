#include "firmware/kernels/record_delivery/record_delivery.h"

#include <algorithm>

#include "experiments/analyses/compared_models/compared_model.h"
#include "experiments/analyses/compared_models/lopc.h"
#include "experiments/analyses/kernels/analysis_of.h"
#include "experiments/analyses/kernels/registry.h"
#include "experiments/models/logp/logp.h"
#include "experiments/models/lopc/lopc_general.h"
#include "experiments/models/model_error.h"
#include "experiments/trace/measurements/measurements.h"

namespace weir::firmware {
WEIR_JSON_FIELDS(RecordDelivery::Facts, hot_node, busiest_node_records, busiest_node_sends,
                 is_synchronous, work_cycles, hot_share, consumers, hot_producers)
}  // namespace weir::firmware

namespace weir::experiments::analyses {

namespace {

using Facts = firmware::RecordDelivery::Facts;

struct RecordMetrics final : records::MetricGroup {
    records::Metric hot_record_cycles{*this, "hot_record_cycles", "cycles",
                                      "Time from the first store of a record's message to the end "
                                      "of its handler on the hot node"};
    records::Metric hot_records_done_cycles{
        *this, "hot_records_done_cycles", "cycles",
        "Cycle in which the hot node has handled its last record"};
    records::Metric other_record_cycles{*this, "other_record_cycles", "cycles",
                                        "Time from the first store of a record's message to the "
                                        "end of its handler on any node but the hot one"};
    records::Metric other_records_done_cycles{
        *this, "other_records_done_cycles", "cycles",
        "Cycle in which all nodes but the hot one have handled their last records"};
};

// LoPC's matrix V for records: the share of each node's records that goes to each other node
// (firmware/kernels/record_delivery/record_delivery.h).
models::LopcVisits visits_of_records(std::size_t nodes, const Facts& facts) {
    models::LopcVisits visits(nodes);
    const auto consumers = static_cast<std::size_t>(facts.consumers);
    if (consumers == 0) {
        const auto hot = static_cast<std::size_t>(facts.hot_node);
        for (std::size_t i = 0; i < nodes; ++i) {
            const double to_hot = i == hot ? 0.0 : facts.hot_share;
            for (std::size_t k = 0; k < nodes; ++k) {
                visits.row(i)[k] = i == k ? 0.0 : (1.0 - to_hot) / static_cast<double>(nodes - 1);
            }
            visits.row(i)[hot] += to_hot;
        }
        return visits;
    }
    const auto hot_producers = static_cast<std::size_t>(facts.hot_producers);
    for (std::size_t i = consumers; i < nodes; ++i) {
        // Producers are alike, so the first ones stand for the hot ones.
        if (i - consumers < hot_producers) {
            visits.row(i)[0] = 1.0;
            continue;
        }
        for (std::size_t k = 1; k < consumers; ++k) {
            visits.row(i)[k] = 1.0 / static_cast<double>(consumers - 1);
        }
    }
    return visits;
}

class RecordDeliveryAnalysis final
    : public WithMetrics<RecordMetrics, AnalysisOf<firmware::RecordDelivery>> {
  public:
    void measure(const TracedRun& run, records::Measured& measured) const override {
        const auto& m = records::declared<RecordMetrics>();
        const hw::NodeId hot_node(static_cast<std::int32_t>(facts_of(run.facts).hot_node));
        const auto add_records = [&](bool to_hot, const records::Metric& each,
                                     const records::Metric& done) {
            trace::Summarized records;
            hw::Cycles last;
            for (const trace::MessageRow& message : run.trace.messages) {
                if (message.parent.valid() || (message.destination == hot_node) != to_hot) {
                    continue;
                }
                const hw::MessageTimes& times = message.times;
                records.add(trace::between(times.compose, times.handler_end));
                last = times.handler_end < hw::kNever ? std::max(last, times.handler_end) : last;
            }
            if (records.summary().count > 0) {
                add(measured.metrics, each, records.summary().mean_cycles);
                add(measured.metrics, done, static_cast<double>(last.count()));
            }
        };
        add_records(true, m.hot_record_cycles, m.hot_records_done_cycles);
        add_records(false, m.other_record_cycles, m.other_records_done_cycles);
    }

    [[nodiscard]] std::optional<double> ask(std::string_view model,
                                            Question& question) const override {
        if (model == "logp") {
            return logp(question);
        }
        if (model == "lopc") {
            return lopc(question);
        }
        return std::nullopt;
    }

    [[nodiscard]] std::optional<records::Section> section(
        const records::ExperimentResult& result) const override {
        records::Table table;
        table.columns = {records::text_column("point"), records::number_column("to the hot"),
                         records::number_column("all done"), records::number_column("to others"),
                         records::number_column("all done")};
        for (const records::PointResult& point : result.points) {
            std::vector<records::TableCell> row{records::text_cell(point.label)};
            for (const records::Metric* metric : records::declared<RecordMetrics>().metrics()) {
                const records::Estimate* measured = records::find_estimate(point, metric->name());
                row.push_back(measured == nullptr ? records::absent_cell()
                                                  : records::whole_cell(measured->mean));
            }
            if (row[1].value || row[3].value) {
                table.rows.push_back(std::move(row));
            }
        }
        return records::section_of("Records, cycles", std::move(table));
    }

  private:
    // Prediction of LoGPC Section 5, without contention. It is the longer of a sender's time for
    // its own records, and the busiest node's time for all that it receives and sends.
    static double logp(Question& question) {
        if (question.pattern.body_bytes > 0.0) {
            return only_short_messages(question);
        }
        const models::LogpInputs logp = logp_inputs(question.inputs);
        const Facts facts = facts_of(question.facts);
        const double work = facts.work_cycles;
        const double both = logp.send_overhead_cycles + logp.receive_overhead_cycles;
        const double records = question.pattern.operations_per_node;
        if (facts.is_synchronous) {
            const double turn = models::logp_round_trip_cycles(logp, work);
            return std::max(records * turn, facts.busiest_node_records * both +
                                                facts.busiest_node_sends * (work + both));
        }
        const double busiest = facts.busiest_node_records * logp.receive_overhead_cycles +
                               facts.busiest_node_sends * (work + logp.send_overhead_cycles);
        const double sender = records * (work + logp.send_overhead_cycles);
        return std::max(sender, busiest) + logp.latency_cycles;
    }

    // Time of the slowest thread other than the hot node's, and then that of the hot node's
    // remaining records, which have no contention.
    static double lopc(Question& question) {
        const Facts facts = facts_of(question.facts);
        if (!facts.is_synchronous) {
            return only_with_replies(question);
        }
        if (question.pattern.body_bytes > 0.0) {
            return only_short_messages(question);
        }
        const double records = question.pattern.operations_per_node;
        models::LopcInputs lopc = lopc_inputs(question);
        lopc.work_cycles = facts.work_cycles + question.inputs.take("send_overhead_cycles");
        const auto nodes = static_cast<std::size_t>(question.machine.processors());
        const models::LopcGeneralSolution solution =
            models::solve_lopc_general(lopc_general_inputs(lopc, visits_of_records(nodes, facts)));
        const auto hot = static_cast<std::size_t>(facts.hot_node);
        double slowest = 0.0;
        for (std::size_t i = 0; i < solution.nodes.size(); ++i) {
            slowest = std::max(slowest, i == hot ? 0.0 : solution.nodes[i].response_cycles);
        }
        const double others = records * slowest;
        const models::LopcNode& hot_node = solution.nodes[hot];
        const double left = hot_node.asks ? records - others / hot_node.response_cycles : 0.0;
        return others + std::max(left, 0.0) * hot_node.contention_free_cycles;
    }
};

}  // namespace

std::unique_ptr<KernelAnalysis> record_delivery_analysis() {
    return std::make_unique<RecordDeliveryAnalysis>();
}

}  // namespace weir::experiments::analyses
