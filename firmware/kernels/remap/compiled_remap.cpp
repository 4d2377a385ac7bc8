#include "firmware/kernels/remap/compiled_remap.h"

#include <algorithm>
#include <cmath>

namespace weir::firmware {

namespace {

// Value of a missing reply. Answers never have it, because keys have their highest bit clear.
constexpr std::uint32_t kNoReply = 0xffffffff;
// Number of a node's common reply body, apart from the numbers of iterations.
constexpr std::uint32_t kReplyBody = 0xffffffff;

}  // namespace

ElfImage CompiledRemap::load_image() { return built_in_program("remap"); }

void CompiledRemap::write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                               ImageMemory& memory) {
    const Remap::Parameters& parameters = workload();
    constexpr std::int64_t kMostWithBody = 0x10000;  // limit of remap.c's origins
    if (parameters.body_bytes.value() > hw::Bytes(0) &&
        parameters.iterations.value() > kMostWithBody) {
        throw InputFault("workload.iterations",
                         "found " + std::to_string(parameters.iterations.value()) +
                             " of compiled messages with bodies",
                         "at most 65536");
    }
    if (parameters.body_bytes.value() > hw::Bytes(0) && body_send() == kInterrupt) {
        throw InputFault("firmware.body_send",
                         R"(found "interrupt", which the compiled remap does not support)",
                         R"("blocking" or "status")");
    }
    const std::size_t nodes = machine.node_count();
    iterations_ = parameters.iterations.value();
    synchronous_ = parameters.style.value() == Remap::Style::kSynchronous;
    // Work times are listed singly if they are random or not whole cycles.
    const auto is_whole = [](double cycles) { return cycles == std::floor(cycles); };
    const bool lists_work =
        parameters.work_distribution.value() == Remap::WorkDistribution::kExponential ||
        !is_whole(parameters.work_cycles.value());
    const bool lists_handler_work = parameters.handler_work_cycles.value() > 0.0 &&
                                    (parameters.handler_squared_cv.value() > 0.0 ||
                                     !is_whole(parameters.handler_work_cycles.value()));
    parameters.require_nodes(machine.node_count());
    destinations_.assign(nodes, {});
    keys_.clear();
    records_.assign(nodes, {});

    std::vector<Remap::Choices> choices;
    // Number of handlers on each node, including those of replies.
    std::vector<std::size_t> handlers(nodes, synchronous_ ? iterations_ : 0);
    for (std::size_t index = 0; index < nodes; ++index) {
        choices.emplace_back(parameters, seed, hw::NodeId(static_cast<std::int32_t>(index)),
                             machine.node_count());
        for (std::size_t i = 0; i < iterations_; ++i) {
            const std::int32_t destination = choices.back().destination(i).index();
            destinations_[index].push_back(static_cast<std::uint16_t>(destination));
            ++handlers[destination];
        }
    }
    for (std::size_t index = 0; index < nodes; ++index) {
        const hw::NodeId node(static_cast<std::int32_t>(index));
        Remap::Choices& choice = choices[index];
        hw::RandomStream key(seed, node, "remap key");
        keys_.push_back(static_cast<std::uint32_t>(key.next()) >> 1);
        Records& records = records_[index];

        const std::uint32_t destinations =
            memory.allot(node, iterations_, sizeof(std::uint16_t), "the list of destinations");
        memory.write_halfwords(node, destinations, destinations_[index]);
        std::vector<std::uint32_t> work;
        for (std::size_t i = 0; i < (lists_work ? iterations_ : 1); ++i) {
            work.push_back(static_cast<std::uint32_t>(choice.work().count()));
        }
        const std::uint32_t work_at =
            lists_work ? memory.allot(node, work.size(), WEIR_WORD_BYTES, "the list of work") : 0;
        if (lists_work) {
            memory.write_words(node, work_at, work);
        }
        // At least one entry, for nodes to which no messages are sent.
        std::vector<std::uint32_t> handler_work;
        const std::size_t handled =
            lists_handler_work ? std::max<std::size_t>(handlers[index], 1) : 1;
        for (std::size_t i = 0; i < handled; ++i) {
            handler_work.push_back(static_cast<std::uint32_t>(choice.handler_work().count()));
        }
        const std::uint32_t handler_work_at =
            lists_handler_work ? memory.allot(node, handler_work.size(), WEIR_WORD_BYTES,
                                              "the list of handlers' work")
                               : 0;
        if (lists_handler_work) {
            memory.write_words(node, handler_work_at, handler_work);
        }
        records.replies = memory.allot(node, iterations_, WEIR_WORD_BYTES, "the list of replies");
        memory.write_words(node, records.replies,
                           std::vector<std::uint32_t>(iterations_, kNoReply));
        for (std::size_t asking = 0; asking < nodes; ++asking) {
            records.deliveries.push_back(
                memory.allot_zeros(node, iterations_, 1, "the record of messages"));
        }
        const std::uint32_t deliveries =
            memory.allot(node, nodes, WEIR_WORD_BYTES, "the record of messages");
        memory.write_words(node, deliveries, records.deliveries);

        memory.write_words(
            node, "weir_parameters",
            {synchronous_ ? 1U : 0U, static_cast<std::uint32_t>(iterations_),
             static_cast<std::uint32_t>(parameters.barrier_messages.value()),
             static_cast<std::uint32_t>(parameters.argument_words.value()), work.front(), work_at,
             destinations, keys_.back(), records.replies, deliveries});
        write_bodies(memory, node, seed, handlers[index]);
        memory.write_words(node, "remap_handler_work", {handler_work_at});
        memory.write_words(node, "remap_handler_work_cycles", {handler_work.front()});
    }
}

std::vector<std::uint32_t> CompiledRemap::body(std::int32_t sender, std::uint32_t iteration) {
    hw::RandomStream stream(seed_ ^ (std::uint64_t{iteration} << 32), hw::NodeId(sender),
                            "remap body");
    std::vector<std::uint32_t> words(workload().body_bytes.value().count() / WEIR_WORD_BYTES);
    std::generate(words.begin(), words.end(),
                  [&stream] { return static_cast<std::uint32_t>(stream.next()); });
    return words;
}

void CompiledRemap::write_bodies(ImageMemory& memory, hw::NodeId node, std::uint64_t seed,
                                 std::size_t handlers) {
    const Remap::Parameters& parameters = workload();
    const auto bytes = static_cast<std::uint32_t>(parameters.body_bytes.value().count());
    seed_ = seed;
    if (bytes == 0) {
        return;
    }
    constexpr std::uint32_t kAlignment = ImageMemory::kBurstAlignment;
    const std::uint32_t stride = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    const auto allot = [&](std::size_t count, const char* what) {
        return memory.allot(node, count, stride, what, kAlignment);
    };
    Records& records = records_[node];
    records.stride = stride;
    const std::uint32_t to_send = allot(iterations_, "the bodies to send");
    for (std::size_t i = 0; i < iterations_; ++i) {
        const auto iteration = static_cast<std::uint32_t>(i);
        memory.write_words(node, to_send + iteration * stride, body(node.index(), iteration));
    }
    const std::uint32_t reply = allot(1, "the body of replies");
    memory.write_words(node, reply, body(node.index(), kReplyBody));
    records.reply_bodies = allot(synchronous_ ? iterations_ : 0, "the bodies of replies");
    records.body_count = handlers - (synchronous_ ? iterations_ : 0);
    records.bodies = allot(records.body_count, "the bodies received");
    records.origins =
        memory.allot(node, records.body_count, WEIR_WORD_BYTES, "the list of bodies received");
    memory.write_words(node, "remap_bodies",
                       {bytes, stride, body_send(), body_receive(),
                        static_cast<std::uint32_t>(parameters.send_buffers.value()), to_send, reply,
                        records.reply_bodies, records.bodies, records.origins});
}

std::optional<std::string> CompiledRemap::fault_of_bodies(ImageMemory& memory) {
    const std::size_t words = body(0, 0).size();
    for (std::size_t index = 0; index < records_.size() && words > 0; ++index) {
        const hw::NodeId node(static_cast<std::int32_t>(index));
        const Records& records = records_[index];
        const std::uint32_t stored = memory.read_word(node, "remap_bodies_stored");
        if (stored != records.body_count) {
            return "node " + std::to_string(index) + " received " + std::to_string(stored) +
                   " bodies, " + std::to_string(records.body_count) + " were sent to it";
        }
        const std::vector<std::uint32_t> origins =
            memory.read_words(node, records.origins, records.body_count);
        for (std::uint32_t i = 0; i < stored; ++i) {
            const std::uint32_t iteration = origins[i] & 0xffff;
            const std::uint32_t sender = origins[i] >> 16;
            if (memory.read_words(node, records.bodies + i * records.stride, words) !=
                body(static_cast<std::int32_t>(sender), iteration)) {
                return "the body of message " + std::to_string(iteration) + " of node " +
                       std::to_string(sender) + " is wrong in node " + std::to_string(index) +
                       "'s memory";
            }
        }
        for (std::size_t i = 0; synchronous_ && i < iterations_; ++i) {
            const auto at = records.reply_bodies + static_cast<std::uint32_t>(i) * records.stride;
            if (memory.read_words(node, at, words) != body(destinations_[index][i], kReplyBody)) {
                return "the body of the reply to message " + std::to_string(i) + " of node " +
                       std::to_string(index) + " is wrong";
            }
        }
    }
    return std::nullopt;
}

std::optional<std::string> CompiledRemap::check_answer(ImageMemory& memory) {
    for (std::size_t asking = 0; asking < destinations_.size(); ++asking) {
        const hw::NodeId node(static_cast<std::int32_t>(asking));
        const std::vector<std::uint32_t> replies =
            memory.read_words(node, records_[asking].replies, iterations_);
        for (std::size_t i = 0; synchronous_ && i < iterations_; ++i) {
            const std::uint32_t expected =
                static_cast<std::uint32_t>(i) ^ keys_[destinations_[asking][i]];
            if (replies[i] != expected) {
                return "message " + std::to_string(i) + " of node " + std::to_string(asking) +
                       (replies[i] == kNoReply ? " was not replied to"
                                               : " was replied to with a wrong value");
            }
        }
        const std::uint32_t too_many = memory.read_word(node, "remap_replies_too_many");
        if (too_many != 0) {
            return "node " + std::to_string(asking) + " got " + std::to_string(too_many) +
                   " replies too many";
        }
        for (std::size_t asked = 0; asked < destinations_.size(); ++asked) {
            const std::vector<std::uint8_t> deliveries =
                memory.read_bytes(hw::NodeId(static_cast<std::int32_t>(asked)),
                                  records_[asked].deliveries[asking], iterations_);
            for (std::size_t i = 0; i < iterations_; ++i) {
                const int expected = destinations_[asking][i] == asked ? 1 : 0;
                if (deliveries[i] != expected) {
                    return "message " + std::to_string(i) + " of node " + std::to_string(asking) +
                           " was delivered to node " + std::to_string(asked) + " " +
                           std::to_string(deliveries[i]) + " times";
                }
            }
        }
    }
    return fault_of_bodies(memory);
}

}  // namespace weir::firmware
