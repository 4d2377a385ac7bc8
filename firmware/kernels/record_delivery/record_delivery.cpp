#include "firmware/kernels/record_delivery/record_delivery.h"

#include <algorithm>
#include <cmath>

namespace weir::firmware {

using nodes::Task;

namespace {

constexpr std::uint32_t kDoubleWord = 8;

}  // namespace

class RecordDelivery::Program final : public ProgramOf<RecordDelivery> {
  public:
    using ProgramOf::ProgramOf;

    Task thread() override {
        processor().trace_mark(kProgramBegins, 0);
        const std::deque<Record>& records = kernel_.sent_.at(self_);
        for (std::size_t i = 0; i < records.size(); ++i) {
            co_await processor().compute(kernel_.common().work_cycles.value());
            is_acknowledged_ = false;
            co_await send(i, records[i]);
            if (kernel_.is_synchronous()) {
                co_await processor().wait_for(is_acknowledged_);
            } else if (processor().receive_mode() == nodes::ReceiveMode::kPolling) {
                co_await processor().wait_until(processor().now() + hw::Cycles(1));
            }
        }
        co_await processor().wait_for(all_have_come_);
        if (last_stored_ != nullptr) {
            co_await messages().wait_stored(*last_stored_);
        }
        processor().trace_mark(kProgramEnds, 0);
    }

  private:
    Task send(std::size_t index, const Record& record) {
        const std::uint32_t address = kernel_.own_address(self_, index);
        const auto sender = static_cast<std::uint32_t>(self_);
        const auto number = static_cast<std::uint32_t>(index);
        if (kernel_.has_bodies()) {
            co_await messages().send_body(hw::NodeId(record.owner), deliver_,
                                          {sender, number, record.place},
                                          {address, kernel_.record_bytes()});
            co_return;
        }
        const std::uint32_t first = co_await processor().load(address);
        const std::uint32_t second = co_await processor().load(address + WEIR_WORD_BYTES);
        co_await messages().send(hw::NodeId(record.owner), deliver_,
                                 {sender, record.place, first, second});
    }

    Task deliver() {
        const std::uint32_t sender = co_await messages().argument(0);
        const std::uint32_t second = co_await messages().argument(1);
        if (kernel_.has_bodies()) {
            const std::uint32_t place = co_await messages().argument(2);
            bool& stored = kernel_.sent_.at(sender).at(second).stored;
            last_stored_ = &stored;
            co_await messages().receive_body(place * kernel_.record_bytes(), stored);
        } else {
            const std::uint32_t address = second * kernel_.record_bytes();
            const std::uint32_t low = co_await messages().argument(2);
            const std::uint32_t high = co_await messages().argument(3);
            co_await processor().store(address, low);
            co_await processor().store(address + WEIR_WORD_BYTES, high);
        }
        co_await processor().compute(kernel_.common().handler_work_cycles.value());
        if (kernel_.is_synchronous()) {
            co_await messages().send(hw::NodeId(static_cast<std::int32_t>(sender)), reply_, {});
        }
        ++kernel_.done_;
        ++come_;
        all_have_come_ = come_ == expected_;
    }

    Task reply() {
        is_acknowledged_ = true;
        co_return;
    }

    std::uint32_t expected_ = kernel_.expected_.at(self_);
    std::uint32_t come_ = 0;
    bool all_have_come_ = expected_ == 0;
    bool is_acknowledged_ = false;
    const bool* last_stored_ = nullptr;  // completion flag of the body that arrived last
    ActiveMessages::HandlerAddress deliver_ = messages().add_handler([this] { return deliver(); });
    ActiveMessages::HandlerAddress reply_ = messages().add_handler([this] { return reply(); });
};

std::uint32_t RecordDelivery::record_bytes() const {
    return has_bodies() ? static_cast<std::uint32_t>(common().body_bytes.value().count())
                        : kDoubleWord;
}

std::vector<std::uint64_t> RecordDelivery::content(std::int32_t sender, std::size_t index) const {
    hw::RandomStream stream(seed_ ^ (std::uint64_t{index} << 20), hw::NodeId(sender), "record");
    std::vector<std::uint64_t> words(record_bytes() / kDoubleWord);
    std::generate(words.begin(), words.end(), [&stream] { return stream.next(); });
    return words;
}

void RecordDelivery::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                             nodes::MemoryAccess& memory) {
    start<Program>(*this, machine, seed);
    const std::size_t nodes = node_count_;
    sent_.assign(nodes, {});
    expected_.assign(nodes, 0);
    records_ = 0;
    for (std::int32_t node = 0; node < node_count_; ++node) {
        hw::RandomStream stream(seed, hw::NodeId(node), "record owners");
        for (const std::int32_t owner : owners(node, stream)) {
            const std::uint32_t place = expected_[owner]++;
            sent_[node].push_back({owner, place, false});
            ++records_;
        }
    }
    refuse_records_beyond(machine.memory_bytes);
    for (std::int32_t node = 0; node < node_count_; ++node) {
        for (std::size_t i = 0; i < sent_[node].size(); ++i) {
            memory.write<std::uint64_t>(hw::NodeId(node), own_address(node, i), content(node, i));
        }
    }
}

// A node stores its own records and those that it receives.
void RecordDelivery::refuse_records_beyond(hw::Bytes memory) const {
    for (std::size_t node = 0; node < sent_.size(); ++node) {
        const std::int64_t records =
            static_cast<std::int64_t>(sent_[node].size()) + std::int64_t{expected_[node]};
        const std::int64_t bytes = records * std::int64_t{record_bytes()};
        if (bytes > memory.count()) {
            throw InputFault(
                "workload.records",
                "node " + std::to_string(node) + " has " + std::to_string(records) +
                    " records, its own and received ones, of " + std::to_string(bytes) +
                    " bytes, which do not fit into memory.bytes = " +
                    std::to_string(memory.count()),
                "fewer or shorter records, or memory.bytes of at least " + std::to_string(bytes));
        }
    }
}

std::optional<std::string> RecordDelivery::check(nodes::MemoryAccess& memory) {
    for (std::int32_t node = 0; node < node_count_; ++node) {
        const std::deque<Record>& records = sent_[node];
        for (std::size_t i = 0; i < records.size(); ++i) {
            const std::vector<std::uint64_t> right = content(node, i);
            std::vector<std::uint64_t> found(right.size());
            memory.read<std::uint64_t>(hw::NodeId(records[i].owner),
                                       records[i].place * record_bytes(), found);
            const auto at = std::mismatch(right.begin(), right.end(), found.begin());
            if (at.first != right.end()) {
                return "record " + std::to_string(i) + " of node " + std::to_string(node) +
                       " is wrong in node " + std::to_string(records[i].owner) +
                       "'s memory from byte " +
                       std::to_string((at.first - right.begin()) * kDoubleWord) + " on: found " +
                       std::to_string(*at.second) + ", sent was " + std::to_string(*at.first);
            }
        }
    }
    return std::nullopt;
}

MessagePattern RecordDelivery::message_pattern() const {
    return {.body_bytes = has_bodies() ? static_cast<double>(record_bytes()) : 0.0,
            .operations_per_node = static_cast<double>(common().records.value())};
}

RecordDelivery::Facts RecordDelivery::facts() const {
    const std::size_t busiest =
        std::max_element(expected_.begin(), expected_.end()) - expected_.begin();
    return {.hot_node = static_cast<double>(hot_node()),
            .busiest_node_records = static_cast<double>(expected_[busiest]),
            .busiest_node_sends = static_cast<double>(sent_[busiest].size()),
            .is_synchronous = is_synchronous(),
            .work_cycles = static_cast<double>(common().work_cycles.value().count())};
}

std::vector<std::int32_t> HotSpot::owners(std::int32_t node, hw::RandomStream& stream) const {
    if (node_count_ < 2 || hot_node() >= node_count_) {
        throw InputFault(
            "workload.hot_node",
            "found " + std::to_string(hot_node()) + " on " + std::to_string(node_count_) + " nodes",
            (node_count_ < 2 ? "a machine of at least 2 nodes"
                             : "0 to " + std::to_string(node_count_ - 1)));
    }
    const double hot_share = parameters_.hot_percent.value() / 100.0;
    const auto others = static_cast<std::uint64_t>(node_count_ - 1);
    std::vector<std::int32_t> owners(parameters_.records.value());
    for (std::int32_t& owner : owners) {
        const bool is_hot = stream.unit() <= hot_share && node != hot_node();
        const auto step = static_cast<std::int32_t>(stream.below(others));
        owner = is_hot ? hot_node() : (node + 1 + step) % node_count_;
    }
    return owners;
}

RecordDelivery::Facts HotSpot::facts() const {
    Facts facts = RecordDelivery::facts();
    facts.hot_share = parameters_.hot_percent.value() / 100.0;
    return facts;
}

std::optional<hw::ParameterGroup::Fault> ProducerConsumer::Parameters::check() const {
    if (consumers.value() == 1 && hot_percent.value() < 100.0) {
        return Fault{"hot_percent",
                     "leaves producers without a consumer: there is only one consumer",
                     "100, or workload.consumers of 2 or more"};
    }
    return RecordDelivery::Parameters::check();
}

// Hot producers are spread evenly over the machine.
bool ProducerConsumer::is_hot(std::int64_t producer) const {
    const double share = parameters_.hot_percent.value() / 100.0;
    const auto before = static_cast<double>(producer);
    return std::floor((before + 1.0) * share) > std::floor(before * share);
}

std::vector<std::int32_t> ProducerConsumer::owners(std::int32_t node,
                                                   hw::RandomStream& stream) const {
    const std::int64_t consumers = parameters_.consumers.value();
    if (consumers >= node_count_) {
        throw InputFault("workload.consumers",
                         "found " + std::to_string(consumers) + " on " +
                             std::to_string(node_count_) + " nodes, which leaves no producer",
                         "1 to " + std::to_string(node_count_ - 1));
    }
    if (node < consumers) {
        return {};
    }
    std::vector<std::int32_t> owners(parameters_.records.value());
    if (is_hot(node - consumers)) {
        return owners;  // node 0 for all records
    }
    for (std::int32_t& owner : owners) {
        owner =
            1 + static_cast<std::int32_t>(stream.below(static_cast<std::uint64_t>(consumers - 1)));
    }
    return owners;
}

RecordDelivery::Facts ProducerConsumer::facts() const {
    Facts facts = RecordDelivery::facts();
    facts.consumers = static_cast<double>(parameters_.consumers.value());
    for (std::int64_t p = 0; p < node_count_ - parameters_.consumers.value(); ++p) {
        facts.hot_producers += is_hot(p) ? 1.0 : 0.0;
    }
    return facts;
}

}  // namespace weir::firmware
