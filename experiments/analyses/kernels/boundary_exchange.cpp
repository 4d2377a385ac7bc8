#include "firmware/kernels/boundary_exchange/boundary_exchange.h"

#include <string>
#include <utility>

#include "experiments/analyses/kernels/analysis_of.h"
#include "experiments/analyses/kernels/registry.h"
#include "experiments/analyses/memory_hierarchy.h"
#include "experiments/analyses/patterns/programs.h"
#include "experiments/models/memory_logp/latency_prediction.h"
#include "experiments/models/memory_logp/memory_logp.h"
#include "experiments/setup/text/shown_text.h"
#include "firmware/kernels/boundary_exchange/block_layout.h"

namespace weir::experiments::analyses {

namespace {

using firmware::BlockLayout;
using firmware::BoundaryExchange;
using firmware::Side;

/// Parts, in cycles, of a message that is packed, sent and unpacked.
struct PackedMessage {
    std::string who;  ///< "measured", or a model's name
    double pack_cycles = 0.0;
    double network_cycles =
        0.0;  ///< time from the send's first cycle until the message is in the receiver's memory
    double unpack_cycles = 0.0;
    double whole_cycles = 0.0;
};
using PackedMessages = std::vector<PackedMessage>;

WEIR_JSON_FIELDS(PackedMessage, pack_cycles, network_cycles, unpack_cycles, whole_cycles)

// Whether each node exchanges one column with a single neighbour.
bool exchanges_one_column(const nodes::MachineConfiguration& machine,
                          const BoundaryExchange& kernel) {
    const auto extents = machine.network.neighbour_extents(machine.node_count());
    return kernel.directions() == BoundaryExchange::Directions::kColumns && extents.front() == 2;
}

models::AccessPattern column(const BlockLayout& layout, models::TransferKind kind,
                             std::int64_t repetitions) {
    const bool packs = kind == models::TransferKind::kPack;
    return {.kind = kind,
            .element_bytes = BlockLayout::kValueBytes,
            .stride_bytes = layout.row_bytes(),
            .elements = layout.edge_bytes() / BlockLayout::kValueBytes,
            .repetitions = repetitions,
            .source_address =
                packs ? layout.edge(0, Side::kEast) : layout.receive_buffer(0, Side::kEast),
            .destination_address =
                packs ? layout.send_buffer(Side::kEast) : layout.halo(0, Side::kEast)};
}

// Messages of a boundary exchange: the measured one, and predictions of memory logP with LogP
// (Section 5 of the paper, models/memory_logp/memory_logp.h). Predictions use the machine's
// parameters and the trace's network part, o + L + G B + o:
//     memory_logp       with l as memory logP measures it, of a transfer repeated over its data
//     memory_logp_cold  with l of a first transfer, which misses every line
// Both model the transfer alone, without the program's accesses between transfers. The list is
// empty if nodes do not exchange exactly one column each, or have no caches.
PackedMessages packed_messages(const BoundaryExchange& kernel,
                               const nodes::MachineConfiguration& machine,
                               const records::Metrics& measured) {
    const std::int64_t levels = machine.memory.caches.value();
    if (levels == 0 || !exchanges_one_column(machine, kernel)) {
        return {};
    }
    const auto of = [&measured](const char* metric) {
        return records::find_metric(measured, metric);
    };
    const auto pack = of("exchange_pack_cycles");
    const auto send = of("exchange_send_cycles");
    const auto receive = of("exchange_receive_cycles");
    const auto unpack = of("exchange_unpack_cycles");
    const auto sending = of("long_send_overhead_cycles");
    const auto latency = of("first_byte_latency_cycles");
    const auto receiving = of("long_receive_overhead_cycles");
    if (!pack || !send || !receive || !unpack || !sending || !latency || !receiving) {
        return {};
    }
    PackedMessages all{
        {"measured", *pack, *send + *receive, *unpack, *pack + *send + *receive + *unpack}};

    const BlockLayout layout(kernel.block());
    const auto bytes = static_cast<double>(layout.edge_bytes());
    const models::TransferTimingInputs inputs =
        transfer_timing_inputs(machine, BlockLayout::kValueBytes, kernel.loop_cycles());
    const models::MemoryHierarchyGeometry geometry = memory_hierarchy_geometry(machine, inputs);
    const double overhead =
        static_cast<double>(inputs.load_cycles + inputs.store_cycles + inputs.loop_cycles) /
        BlockLayout::kValueBytes;
    const network::NetworkParameters& network = machine.network;
    const double network_cycles = *sending + *latency +
                                  bytes * static_cast<double>(network.flit_cycles().count()) /
                                      static_cast<double>(network.flit_bytes.value().count()) +
                                  *receiving;
    const auto packing = models::latency_from_stack_distances(
        geometry, column(layout, models::TransferKind::kPack, levels + 2));
    const auto unpacking = models::latency_from_stack_distances(
        geometry, column(layout, models::TransferKind::kUnpack, levels + 2));
    const auto add = [&](const char* who, double packing_miss_cycles,
                         double unpacking_miss_cycles) {
        const double pack_l = packing_miss_cycles / BlockLayout::kValueBytes;
        const double unpack_l = unpacking_miss_cycles / BlockLayout::kValueBytes;
        const models::MemoryLogpMessage message = models::memory_logp_message(
            {.memory = {.overhead_cycles_per_byte = overhead,
                        .latency_cycles_per_byte = (pack_l + unpack_l) / 2.0,
                        .word_bytes = BlockLayout::kValueBytes},
             .message_bytes = layout.edge_bytes(),
             .network_packet_bytes = layout.edge_bytes(),
             .latency_cycles = network_cycles,
             .overhead_cycles = 0.0,
             .gap_cycles = 0.0});
        all.push_back({who, bytes * (overhead + pack_l), network_cycles,
                       bytes * (overhead + unpack_l), message.message_cycles});
    };
    add("memory_logp", packing.miss_cycles_per_element(), unpacking.miss_cycles_per_element());
    add("memory_logp_cold", packing.first_repetition_miss_cycles_per_element(),
        unpacking.first_repetition_miss_cycles_per_element());
    return all;
}

// Messages from a point's result.
PackedMessages packed_messages(const records::PointResult& point) {
    PackedMessages all;
    for (const auto& [who, parts] : records::particular(point, "packed_message").items()) {
        all.push_back(parts.get<PackedMessage>());
        all.back().who = who;
    }
    return all;
}

void add_packed_figure(const records::ExperimentResult& result, records::Section& section) {
    records::StackedBars chart;
    chart.title = "a column as a message";
    chart.caption =
        "From the left: measured; memory logP with l of a repeated transfer; memory logP with l of "
        "a transfer that misses every line.";
    chart.group_name = "point";
    chart.unit = "cycles";
    chart.value_label = "cycles";
    chart.parts = {{"pack", "#0072B2"}, {"network", "#009E73"}, {"unpack", "#E69F00"}};
    for (const records::PointResult& point : result.points) {
        for (const PackedMessage& message : packed_messages(point)) {
            chart.bars.push_back(
                {point.label,
                 message.who,
                 {message.pack_cycles, message.network_cycles, message.unpack_cycles},
                 message.whole_cycles});
        }
    }
    if (!chart.bars.empty()) {
        section.blocks.emplace_back(records::Figure{"", chart});
    }
}

// Figure and table with the messages' parts at all points; absent for other kernels.
std::optional<records::Section> packed_message_section(const records::ExperimentResult& result) {
    records::Table table;
    table.columns = {
        records::text_column("point"),
        records::text_column("source"),
        records::number_column("pack"),
        records::number_column("network"),
        records::number_column("unpack"),
        records::number_column("whole"),
        records::number_column("off", "excess of the whole time over the measurement")};
    table.keys = 2;
    for (const records::PointResult& point : result.points) {
        const PackedMessages messages = packed_messages(point);
        for (const PackedMessage& message : messages) {
            const double whole = messages.front().whole_cycles;
            table.rows.push_back(
                {records::text_cell(point.label),
                 records::text_cell(setup::spaced_name(message.who)),
                 records::whole_cell(message.pack_cycles),
                 records::whole_cell(message.network_cycles),
                 records::whole_cell(message.unpack_cycles),
                 records::whole_cell(message.whole_cycles),
                 whole != 0.0 ? records::percent_cell(100.0 * (message.whole_cycles / whole - 1.0))
                              : records::absent_cell()});
            records::declare_sum_in_last_row(table, {2, 3, 4}, 5);
        }
    }
    if (table.rows.empty()) {
        return std::nullopt;
    }
    records::Section section;
    section.title = "A column as a message, cycles";
    add_packed_figure(result, section);
    section.blocks.emplace_back(std::move(table));
    section.blocks.emplace_back(records::Paragraph{
        "memory logp: latency l of a transfer that is repeated over its data. cold: latency l of a "
        "transfer that misses every line. Neither model includes the program's accesses between "
        "transfers."});
    return section;
}

struct BoundaryExchangeMetrics final : records::MetricGroup {
    /// A metric for each phase in BoundaryExchange::kPhases.
    records::MetricFamily phase_cycles{
        *this,
        {BoundaryExchange::kPhases.begin(), BoundaryExchange::kPhases.end()},
        [](const std::string& phase) { return "exchange_" + phase + "_cycles"; },
        "cycles",
        [](const std::string& phase) {
            return "Time of a node in a step's phase \"" + phase + "\"; mean of all nodes";
        },
        "memory logP Section 9"};
};

class BoundaryExchangeAnalysis final : public WithMetrics<BoundaryExchangeMetrics> {
  public:
    [[nodiscard]] std::optional<records::Section> section(
        const records::ExperimentResult& result) const override {
        return packed_message_section(result);
    }

    void measure(const TracedRun& run, records::Measured& measured) const override {
        for (std::size_t i = 0; i < BoundaryExchange::kPhases.size(); ++i) {
            const std::string phase = BoundaryExchange::kPhases[i];
            const MarkedTime time = marked_time(run.trace, phase + "_begin", phase + "_end");
            if (time.spans > 0) {
                add(measured.metrics, records::declared<BoundaryExchangeMetrics>().phase_cycles[i],
                    time.cycles / static_cast<double>(time.spans));
            }
        }
    }

    void finish(const firmware::Kernel& kernel, const nodes::MachineConfiguration& machine,
                records::PointResult& point) const override {
        const auto& exchange = dynamic_cast<const BoundaryExchange&>(kernel.described());
        auto packed = records::Particulars::object();
        for (const PackedMessage& message :
             packed_messages(exchange, machine, records::means(point))) {
            packed[message.who] = message;
        }
        if (!packed.empty()) {
            (*point.particulars)["packed_message"] = std::move(packed);
        }
    }
};

}  // namespace

std::unique_ptr<KernelAnalysis> boundary_exchange_analysis() {
    return std::make_unique<BoundaryExchangeAnalysis>();
}

}  // namespace weir::experiments::analyses
