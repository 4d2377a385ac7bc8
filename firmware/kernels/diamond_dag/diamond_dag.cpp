#include "firmware/kernels/diamond_dag/diamond_dag.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "firmware/kernels/diamond_dag/fasta.h"
#include "hw/random_stream.h"
#include "hw/text_streams.h"

namespace weir::firmware {

namespace {

// Reflected Gray code, in which consecutive numbers differ by one in one digit: the digits of
// `step` in the mesh's mixed radix. A digit counts down if the number above it is odd.
std::int32_t node_on_snake(std::int32_t step, const std::vector<std::int32_t>& extents) {
    std::int32_t node = 0;
    std::int32_t stride = 1;
    std::int32_t rest = step;
    for (const std::int32_t extent : extents) {
        const std::int32_t digit = rest % extent;
        rest /= extent;
        node += stride * (rest % 2 == 0 ? digit : extent - 1 - digit);
        stride *= extent;
    }
    return node;
}

void shuffle(std::vector<hw::NodeId>& nodes, std::uint64_t seed) {
    hw::RandomStream stream(seed, hw::NodeId(0), "stripe mapping");
    for (std::size_t left = nodes.size(); left > 1; --left) {  // shuffle of Fisher and Yates
        std::swap(nodes[left - 1], nodes[stream.below(left)]);
    }
}

}  // namespace

std::vector<hw::NodeId> map_stripes(StripeMapping mapping, const nodes::MachineShape& machine,
                                    std::uint64_t seed) {
    std::vector<hw::NodeId> nodes;
    nodes.reserve(machine.node_count());
    for (std::int32_t stripe = 0; stripe < machine.node_count(); ++stripe) {
        nodes.emplace_back(mapping == StripeMapping::kSnake
                               ? node_on_snake(stripe, machine.mesh_extents)
                               : stripe);
    }
    if (mapping == StripeMapping::kRandom) {
        shuffle(nodes, seed);
    }
    return nodes;
}

using nodes::Task;

namespace {

std::string read_or_make(const std::string& path, std::int64_t letters, std::uint64_t seed,
                         const char* name) {
    return path.empty() ? random_sequence(letters, seed, name) : read_fasta(path);
}

}  // namespace

std::optional<hw::ParameterGroup::Fault> DiamondDag::Parameters::check() const {
    const std::int64_t bytes = message_bytes.value().count();
    if (bytes % kValueBytes != 0) {
        return Fault{"message_bytes",
                     "found " + std::to_string(bytes) + " bytes, which are not whole values",
                     "a multiple of 8"};
    }
    if (second_sequence.value().empty()) {
        return check_columns(tasks_per_side.value());
    }
    return std::nullopt;
}

std::optional<hw::ParameterGroup::Fault> DiamondDag::Parameters::check_columns(
    std::int64_t columns) const {
    if (columns % blocks.value() != 0) {
        return Fault{"blocks",
                     "found " + std::to_string(blocks.value()) +
                         " blocks, which are not equal parts of " + std::to_string(columns) +
                         " columns",
                     "a divisor of " + std::to_string(columns)};
    }
    const std::int64_t edge_bytes = columns / blocks.value() * kValueBytes;
    const std::int64_t bytes = message_bytes.value().count();
    if (bytes != 0 && bytes < edge_bytes) {
        return Fault{"message_bytes",
                     "found " + std::to_string(bytes) + " bytes, which do not hold a block's edge",
                     "0 (just the edge), or at least " + std::to_string(edge_bytes)};
    }
    return std::nullopt;
}

class DiamondDag::Program final : public ProgramOf<DiamondDag> {
  public:
    using ProgramOf::ProgramOf;

    Task thread() override {
        processor().trace_mark("dag begins", static_cast<std::int64_t>(stripe_));
        for (std::size_t block = 0; block < kernel_.blocks_; ++block) {
            if (stripe_ == 0) {
                edge_ = alignment_border(kernel_.scores_, block * kernel_.block_columns_ + 1,
                                         kernel_.block_columns_);
            } else {
                co_await messages().wait_stored(bodies_[block].stored);
                co_await unpack_edge(kernel_.receive_buffer(block));
            }
            co_await processor().compute(block_cycles());
            edge_ = work_.next_block(kernel_.block_letters(block), edge_);
            co_await pack_edge(kernel_.send_buffer(block));
            if (!kernel_.is_last(stripe_)) {
                co_await messages().send_body(
                    kernel_.nodes_[stripe_ + 1], receive_edge_, ActiveMessages::Arguments(),
                    {.address = kernel_.send_buffer(block), .bytes = kernel_.message_bytes_});
            }
            ++kernel_.done_;
        }
        if (kernel_.is_last(stripe_)) {
            kernel_.score_ = edge_.back();
        }
        processor().trace_mark("dag ends", static_cast<std::int64_t>(stripe_));
    }

  private:
    struct ReceivedBody {
        bool stored = false;
    };

    // All bodies come from the stripe below, in order, so their count is the number of the block.
    Task receive_edge() {
        const std::size_t block = bodies_begun_++;
        co_await messages().receive_body(kernel_.receive_buffer(block), bodies_.at(block).stored);
    }

    Task unpack_edge(std::uint32_t buffer) {
        edge_.resize(kernel_.block_columns_);
        for (double& value : edge_) {
            value = co_await processor().load_real(buffer);
            co_await processor().compute(kernel_.parameters_.pack_cycles_per_value.value());
            buffer += kValueBytes;
        }
    }

    // The last stripe packs its edges too: they are the answer.
    Task pack_edge(std::uint32_t buffer) {
        for (const double value : edge_) {
            co_await processor().compute(kernel_.parameters_.pack_cycles_per_value.value());
            co_await processor().store_real(buffer, value);
            buffer += kValueBytes;
        }
    }

    [[nodiscard]] hw::Cycles block_cycles() const {
        const auto tasks = static_cast<std::int64_t>(kernel_.stripe_rows_ * kernel_.block_columns_);
        return tasks * kernel_.parameters_.task_cycles.value();
    }

    std::size_t stripe_ =
        std::find(kernel_.nodes_.begin(), kernel_.nodes_.end(), processor().node()) -
        kernel_.nodes_.begin();
    // Received edges, by block.
    std::vector<ReceivedBody> bodies_ = std::vector<ReceivedBody>(kernel_.blocks_);
    std::size_t bodies_begun_ = 0;
    AlignmentStripe work_{kernel_.scores_, kernel_.stripe_letters(stripe_),
                          stripe_* kernel_.stripe_rows_};
    // Values below the block; once it is computed, those of its upper edge.
    std::vector<double> edge_;
    ActiveMessages::HandlerAddress receive_edge_ =
        messages().add_handler([this] { return receive_edge(); });
};

void DiamondDag::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                         nodes::MemoryAccess& memory) {
    start<Program>(*this, machine, seed);
    scores_ = {.match = parameters_.match_score.value(),
               .mismatch = parameters_.mismatch_score.value(),
               .gap = parameters_.gap_score.value()};
    read_sequences(machine);
    lay_out(machine);
    nodes_ = map_stripes(parameters_.mapping.value(), machine, seed);
    upper_edges_ = alignment_rows(scores_, first_, second_, stripe_rows_);
    for (std::size_t stripe = 0; stripe < nodes_.size(); ++stripe) {
        fill_buffers(stripe, memory);
    }
}

void DiamondDag::read_sequences(const nodes::MachineShape& machine) {
    const std::int64_t generated = parameters_.tasks_per_side.value();
    const std::string first_path = parameters_.first_sequence.value();
    const std::string second_path = parameters_.second_sequence.value();
    first_ = read_or_make(first_path, generated, seed_, "first sequence");
    second_ = read_or_make(second_path, generated, seed_, "second sequence");

    const std::size_t stripes = machine.node_count();
    if (first_.size() % stripes != 0) {
        const std::size_t next = (first_.size() / stripes + 1) * stripes;
        throw InputFault(
            first_path.empty() ? "workload.tasks_per_side" : first_path,
            "found " + std::to_string(first_.size()) + " rows, which are not equal stripes on " +
                std::to_string(stripes) + " nodes",
            "a multiple of " + std::to_string(stripes) + ", such as " + std::to_string(next));
    }
    if (const auto fault = parameters_.check_columns(static_cast<std::int64_t>(second_.size()))) {
        throw InputFault((second_path.empty() ? "" : second_path + ": ") + "workload." + fault->key,
                         fault->found, fault->accepted);
    }
    stripe_rows_ = first_.size() / stripes;
}

void DiamondDag::lay_out(const nodes::MachineShape& machine) {
    blocks_ = parameters_.blocks.value();
    block_columns_ = second_.size() / blocks_;
    const std::int64_t asked = parameters_.message_bytes.value().count();
    const std::int64_t bytes =
        asked != 0 ? asked : static_cast<std::int64_t>(block_columns_) * kValueBytes;
    const std::int64_t buffers = 2 * parameters_.blocks.value();
    if (buffers * bytes > machine.memory_bytes.count()) {
        const std::int64_t most =
            machine.memory_bytes.count() / buffers / kValueBytes * kValueBytes;
        throw InputFault(
            "workload.message_bytes",
            std::to_string(buffers) + " buffers (one for each block received and sent) of " +
                std::to_string(bytes) + " bytes do not fit into memory.bytes = " +
                std::to_string(machine.memory_bytes.count()),
            "messages of at most " + std::to_string(most) + " bytes, or memory.bytes of at least " +
                std::to_string(buffers * bytes));
    }
    message_bytes_ = static_cast<std::uint32_t>(bytes);
}

// NaN, so that a value that was not received or computed is recognised.
void DiamondDag::fill_buffers(std::size_t stripe, nodes::MemoryAccess& memory) const {
    const std::vector<double> unset(block_columns_, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t block = 0; block < blocks_; ++block) {
        memory.write<double>(nodes_[stripe], receive_buffer(block), unset);
        memory.write<double>(nodes_[stripe], send_buffer(block), unset);
        if (!is_last(stripe)) {
            memory.write<std::uint64_t>(nodes_[stripe], send_buffer(block) + edge_bytes(),
                                        padding(stripe, block));
        }
    }
}

DiamondDag::Words DiamondDag::padding(std::size_t stripe, std::size_t block) const {
    hw::RandomStream stream(seed_, hw::NodeId(static_cast<std::int32_t>(stripe)),
                            "padding of block " + std::to_string(block));
    Words words(message_bytes_ / kValueBytes - block_columns_);
    std::generate(words.begin(), words.end(), [&] { return stream.next(); });
    return words;
}

std::optional<std::string> DiamondDag::check(nodes::MemoryAccess& memory) {
    double score = 0.0;
    memory.read<double>(nodes_.back(), score_address(), {&score, 1});
    if (score != sequential_score()) {
        return "the score is " + std::to_string(score) + ", the sequential program gives " +
               std::to_string(sequential_score());
    }
    for (std::size_t stripe = 0; stripe < nodes_.size(); ++stripe) {
        if (auto wrong = check_edges(stripe, memory)) {
            return wrong;
        }
        if (auto wrong = stripe > 0 ? check_bodies(stripe, memory) : std::nullopt) {
            return wrong;
        }
    }
    return std::nullopt;
}

// The nodes and the sequential program do the same arithmetic, so values are equal bit by bit.
std::optional<std::string> DiamondDag::check_edges(std::size_t stripe,
                                                   nodes::MemoryAccess& memory) const {
    std::vector<double> edge(block_columns_);
    for (std::size_t block = 0; block < blocks_; ++block) {
        memory.read<double>(nodes_[stripe], send_buffer(block), edge);
        for (std::size_t i = 0; i < edge.size(); ++i) {
            const std::size_t column = block * block_columns_ + i;
            const double expected = upper_edges_[stripe][column];
            if (edge[i] != expected) {
                return "column " + std::to_string(column) + " of the upper edge of stripe " +
                       std::to_string(stripe) + " is " + std::to_string(edge[i]) +
                       ", the sequential program gives " + std::to_string(expected);
            }
        }
    }
    return std::nullopt;
}

std::optional<std::string> DiamondDag::check_bodies(std::size_t stripe,
                                                    nodes::MemoryAccess& memory) const {
    Words body(message_bytes_ / kValueBytes);
    for (std::size_t block = 0; block < blocks_; ++block) {
        memory.read<std::uint64_t>(nodes_[stripe], receive_buffer(block), body);
        Words sent;
        for (std::size_t i = 0; i < block_columns_; ++i) {
            sent.push_back(
                std::bit_cast<std::uint64_t>(upper_edges_[stripe - 1][block * block_columns_ + i]));
        }
        const Words rest = padding(stripe - 1, block);
        sent.insert(sent.end(), rest.begin(), rest.end());
        const auto [received_word, sent_word] =
            std::mismatch(body.begin(), body.end(), sent.begin());
        if (received_word != body.end()) {
            return "the body of block " + std::to_string(block) + " that stripe " +
                   std::to_string(stripe) + " received has " + hw::hexadecimal(*received_word) +
                   " at byte " + std::to_string((received_word - body.begin()) * kValueBytes) +
                   ", " + hw::hexadecimal(*sent_word) + " was sent";
        }
    }
    return std::nullopt;
}

DiamondDag::Facts DiamondDag::facts() const {
    return {.rows = static_cast<double>(first_.size()),
            .columns = static_cast<double>(second_.size()),
            .blocks = static_cast<double>(blocks_),
            .task_cycles = static_cast<double>(parameters_.task_cycles.value().count()),
            .aggregation_cycles_per_value =
                2.0 * static_cast<double>(parameters_.pack_cycles_per_value.value().count())};
}

namespace {

std::vector<std::uint8_t> letters(std::string_view text) { return {text.begin(), text.end()}; }

std::uint32_t upper_word(double value) {
    return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(value) >> 32);
}
std::uint32_t lower_word(double value) {
    return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(value));
}

}  // namespace

ElfImage CompiledDiamondDag::load_image() { return built_in_program("diamond-dag"); }

void CompiledDiamondDag::write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                                    ImageMemory& memory) {
    NoMemory nowhere;
    DiamondDag& dag = twin();
    dag.prepare(machine, seed, nowhere);
    constexpr std::uint32_t kValue = DiamondDag::kValueBytes;
    const std::uint32_t bytes = dag.message_bytes_;
    buffers_.clear();
    for (std::size_t stripe = 0; stripe < dag.nodes_.size(); ++stripe) {
        const hw::NodeId node = dag.nodes_[stripe];
        const std::vector<std::uint8_t> own = letters(dag.stripe_letters(stripe));
        const std::vector<std::uint8_t> columns = letters(dag.second_);
        const std::uint32_t own_at = memory.allot(node, own.size(), 1, "the sequences");
        const std::uint32_t columns_at = memory.allot(node, columns.size(), 1, "the sequences");
        const std::uint32_t left = memory.allot(node, own.size() + 1, kValue, "a stripe's edge");
        const std::uint32_t stored =
            memory.allot_zeros(node, dag.blocks_, WEIR_WORD_BYTES, "the buffers");
        buffers_.push_back({.receive = memory.allot(node, dag.blocks_, bytes, "the buffers",
                                                    ImageMemory::kBurstAlignment),
                            .send = memory.allot(node, dag.blocks_, bytes, "the buffers",
                                                 ImageMemory::kBurstAlignment)});
        memory.write_bytes(node, own_at, own);
        memory.write_bytes(node, columns_at, columns);
        // NaN, so that a value that was not received or computed is recognised.
        const std::vector<double> unset(dag.block_columns_,
                                        std::numeric_limits<double>::quiet_NaN());
        for (std::size_t block = 0; block < dag.blocks_; ++block) {
            const auto offset = static_cast<std::uint32_t>(block) * bytes;
            memory.write_doubles(node, buffers_.back().receive + offset, unset);
            memory.write_doubles(node, buffers_.back().send + offset, unset);
            std::vector<std::uint32_t> padding;
            for (const std::uint64_t words : dag.padding(stripe, block)) {
                padding.push_back(static_cast<std::uint32_t>(words >> 32));
                padding.push_back(static_cast<std::uint32_t>(words));
            }
            memory.write_words(node, buffers_.back().send + offset + dag.edge_bytes(), padding);
        }
        const bool is_last = dag.is_last(stripe);
        std::vector<std::uint32_t> parameters{
            static_cast<std::uint32_t>(stripe),
            is_last ? 1U : 0U,
            static_cast<std::uint32_t>(is_last ? 0 : dag.nodes_[stripe + 1].index()),
            static_cast<std::uint32_t>(dag.blocks_),
            static_cast<std::uint32_t>(dag.stripe_rows_),
            static_cast<std::uint32_t>(dag.block_columns_),
            bytes,
            body_send(),
            body_receive(),
            own_at,
            columns_at,
            left,
            buffers_.back().receive,
            buffers_.back().send,
            stored,
            0};  // padding: doubles begin at a multiple of 8
        for (const double score : {dag.scores_.match, dag.scores_.mismatch, dag.scores_.gap}) {
            parameters.push_back(upper_word(score));
            parameters.push_back(lower_word(score));
        }
        memory.write_words(node, "weir_parameters", parameters);
    }
}

std::optional<std::string> CompiledDiamondDag::check_answer(ImageMemory& memory) {
    for (std::size_t stripe = 0; stripe < buffers_.size(); ++stripe) {
        if (auto wrong = check_stripe(stripe, memory)) {
            return wrong;
        }
    }
    return std::nullopt;
}

std::optional<std::string> CompiledDiamondDag::check_stripe(std::size_t stripe,
                                                            ImageMemory& memory) {
    const DiamondDag& dag = twin();
    for (std::size_t block = 0; block < dag.blocks_; ++block) {
        const auto offset = static_cast<std::uint32_t>(block) * dag.message_bytes_;
        const std::uint32_t sent_at = buffers_[stripe].send + offset;
        const std::vector<double> edge =
            memory.read_doubles(dag.nodes_[stripe], sent_at, dag.block_columns_);
        for (std::size_t i = 0; i < edge.size(); ++i) {
            const std::size_t column = block * dag.block_columns_ + i;
            const double expected = dag.upper_edges_[stripe][column];
            if (edge[i] != expected) {
                return "column " + std::to_string(column) + " of the upper edge of stripe " +
                       std::to_string(stripe) + " is " + std::to_string(edge[i]) +
                       ", the sequential program gives " + std::to_string(expected);
            }
        }
        if (dag.is_last(stripe)) {
            continue;
        }
        const std::vector<std::uint8_t> sent =
            memory.read_bytes(dag.nodes_[stripe], sent_at, dag.message_bytes_);
        const std::vector<std::uint8_t> received = memory.read_bytes(
            dag.nodes_[stripe + 1], buffers_[stripe + 1].receive + offset, dag.message_bytes_);
        const auto [in_sent, in_received] =
            std::mismatch(sent.begin(), sent.end(), received.begin());
        if (in_sent != sent.end()) {
            return "the body of block " + std::to_string(block) + " that stripe " +
                   std::to_string(stripe + 1) + " received differs from byte " +
                   std::to_string(in_sent - sent.begin()) + " on from what was sent";
        }
    }
    return std::nullopt;
}

}  // namespace weir::firmware
