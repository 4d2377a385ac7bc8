#pragma once

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hw/controller/message_controller.h"
#include "hw/random_stream.h"
#include "hw/testing/plain_dram.h"
#include "hw/testing/twin/byte_queue_recorder.h"
#include "hw/testing/twin/dma_recorder.h"
#include "hw/testing/twin/message_controller_recorder.h"

namespace weir::hw::twin {

inline constexpr std::int64_t kRandomNodeMemory = 8192;
inline constexpr std::int32_t kRandomNodes = 20;

/// A network interface with messages of random words and bodies. It is fast for a while and slow
/// for a while.
class RandomNetwork final : public ClockedPart {
  public:
    RandomNetwork(ClockDomain& domain, MessageController& controller, MessagePool& messages,
                  std::uint64_t seed, Cycles until)
        : ClockedPart(domain),
          controller_(controller),
          messages_(messages),
          random_(seed, NodeId(0), "network"),
          until_(until) {
        wake_at(Cycles(0));
    }
    void tick(Cycles now) override {
        if (now >= until_) {
            return;
        }
        wake_at(now + Cycles(1));
        if (now.count() % 256 == 0) {
            inject_percent_ = random_.below(101);
            eject_percent_ = random_.below(3) == 0 ? 0 : random_.below(101);
        }
        if (random_.below(100) < inject_percent_) {
            inject(now);
        }
        if (stopped_ || random_.below(100) < eject_percent_) {
            eject(now);
        }
    }
    [[nodiscard]] std::int64_t stops() const { return stops_; }
    static constexpr Bytes kFlit{2};

  private:
    void inject(Cycles now) {
        ByteQueue& queue = controller_.output_queue();
        if (!queue.has_message(now) || queue.available(now) < kFlit) {
            return;
        }
        queue.pop(kFlit, now);
        sent_ += kFlit;
        if (sent_ == messages_[queue.front()].bytes) {
            const MessageSlot slot = queue.front();
            queue.end_message(now);
            messages_.release(slot);
            sent_ = Bytes(0);
        }
    }
    void eject(Cycles now) {
        ByteQueue& queue = controller_.input_queue();
        if (queue.room(now) < kFlit) {
            if (!stopped_) {
                controller_.network_stopped(now, now);
                ++stops_;
            }
            stopped_ = true;
            return;
        }
        if (stopped_) {
            controller_.network_stopped(kNever, now);
            stopped_ = false;
        }
        if (received_ == Bytes(0)) {
            make_message();
            queue.begin_message(arriving_, now);
        }
        queue.push(kFlit, now);
        received_ += kFlit;
        if (received_ == Bytes(WEIR_HEADER_BYTES)) {
            controller_.header_arrived(messages_[arriving_], now);
        }
        if (received_ == messages_[arriving_].bytes) {
            received_ = Bytes(0);
        }
    }
    void make_message() {
        arriving_ = messages_.allocate();
        Message& message = messages_[arriving_];
        message.id = MessageId{NodeId(1), next_++};
        message.word_count = 2 + static_cast<std::int32_t>(random_.below(15));
        for (std::uint32_t& word : message.words) {
            word = static_cast<std::uint32_t>(random_.next());
        }
        message.words[0] = WEIR_HEADER(random_.below(0x80), message.word_count, 5);
        const bool has_body = random_.below(3) == 0;
        message.body_bytes =
            Bytes(has_body ? 8 * (1 + static_cast<std::int64_t>(random_.below(40))) : 0);
        message.bytes = Bytes(std::int64_t{message.word_count} * 4) + message.body_bytes;
        for (std::uint8_t& byte : messages_.body(arriving_)) {
            byte = static_cast<std::uint8_t>(random_.next());
        }
    }

    MessageController& controller_;
    MessagePool& messages_;
    RandomStream random_;
    Cycles until_;
    std::uint64_t inject_percent_ = 0;
    std::uint64_t eject_percent_ = 0;
    Bytes sent_;
    Bytes received_;
    MessageSlot arriving_ = 0;
    bool stopped_ = false;
    std::int64_t stops_ = 0;
    std::int64_t next_ = 0;
};

/// A core that composes and launches messages, receives others when they interrupt, and makes
/// mistakes of all kinds. Like the firmware, it leaves the head of the queue alone between its
/// store to DISPOSE and the next interrupt.
class RandomCore final : public sc_core::sc_module, public ClockedPart {
  public:
    RandomCore(const sc_core::sc_module_name& name, ClockDomain& domain,
               MessageController& controller, MessagePool& messages, std::uint64_t seed,
               Cycles until)
        : sc_module(name),
          ClockedPart(domain),
          controller_(controller),
          messages_(messages),
          random_(seed, NodeId(0), "core"),
          until_(until) {
        bus_socket.register_nb_transport_bw(this, &RandomCore::nb_transport_bw);
        wake_at(Cycles(0));
    }
    tlm_utils::simple_initiator_socket<RandomCore> bus_socket{"bus_socket"};

    void tick(Cycles now) override {
        if (now >= until_) {
            return;
        }
        wake_at(now + Cycles(1));
        if (now.count() % 512 == 0) {
            takes_interrupts_ = !chance(3);
        }
        if (waits_) {
            // No draw, since the answer may come in this cycle, before this tick or after it.
            if (!withdraws_ && now.count() % 37 == 0) {
                withdraw();
            }
            return;
        }
        if (now < free_from_ || (plan_.empty() && chance(8))) {
            return;
        }
        if (controller_.interrupt_raised(now) && !handles_ && takes_interrupts_) {
            plan_handler(messages_[controller_.head_message()]);
        } else if (plan_.empty()) {
            plan_anything(now);
        }
        issue();
    }
    [[nodiscard]] std::int64_t launches() const { return launches_; }
    [[nodiscard]] std::int64_t withdrawals() const { return withdrawals_; }

  private:
    struct Access {
        tlm::tlm_command command = tlm::TLM_READ_COMMAND;
        std::uint32_t address = 0;
        std::uint64_t data = 0;
        unsigned bytes = 4;
        bool ends_handler = false;
    };

    std::uint64_t draw(std::uint64_t bound) { return random_.below(bound); }
    bool chance(std::uint64_t one_in) { return draw(one_in) == 0; }

    void store(std::uint32_t address, std::uint64_t data, unsigned bytes = 4) {
        plan_.push_back({tlm::TLM_WRITE_COMMAND, address, data, bytes});
    }
    void load(std::uint32_t address, unsigned bytes = 4) {
        plan_.push_back({tlm::TLM_READ_COMMAND, address, 0, bytes});
    }
    static std::uint32_t word_of(std::uint32_t base, std::uint64_t index) {
        return base + WEIR_WORD_BYTES * static_cast<std::uint32_t>(index);
    }

    void plan_anything(Cycles now) {
        if (draw(5) < 2) {
            plan_message();
            return;
        }
        const bool is_empty = controller_.input_queue().messages_begun(now) ==
                              controller_.input_queue().messages_ended(now);
        switch (draw(14)) {
            case 0:
                return load(word_of(WEIR_OUTPUT_DESCRIPTOR, draw(16)));
            case 1:
                return load(word_of(WEIR_OUTPUT_DESCRIPTOR, 2 * draw(8)), 8);
            case 2:
                return load(WEIR_COMPOSED_WORDS);
            case 3:
                return load(WEIR_MESSAGE_WAITING);
            case 4:
            case 5:
                return load(WEIR_DMA_STATUS);
            case 6:
                return load(WEIR_OUTPUT_ROOM);
            case 7:
                return load(chance(2) ? WEIR_SEND_DMA_IDLE : WEIR_RECEIVE_DMA_IDLE);
            case 8:
                return store(WEIR_DMA_STATUS, draw(16));
            case 9:
                return store(WEIR_SAVED_MESSAGES, draw(3));
            case 10:
                return plan_nonsense();
            case 11:
                for (std::uint64_t i = draw(4); i > 0; --i) {
                    load(WEIR_COMPOSED_WORDS);
                }
                return;
            default:
                if (is_empty) {
                    plan_without_message();
                }
        }
    }
    // Accesses that no state permits.
    void plan_nonsense() {
        switch (draw(6)) {
            case 0:
                return store(WEIR_COMPOSED_WORDS + WEIR_WORD_BYTES * (chance(2) ? 1 : 4), 7);
            case 1:
                return load(WEIR_LAUNCH + WEIR_WORD_BYTES * static_cast<std::uint32_t>(draw(2)));
            case 2:
                return load(WEIR_OUTPUT_ROOM + 4 +
                            WEIR_WORD_BYTES * static_cast<std::uint32_t>(draw(20)));
            case 3:
                return store(WEIR_OUTPUT_DESCRIPTOR + static_cast<std::uint32_t>(draw(60)), draw(9),
                             chance(2) ? 4 : 8);
            case 4:
                return load(WEIR_COMPOSED_WORDS, 8);
            default:
                return store(word_of(WEIR_INPUT_WINDOW, draw(16)), draw(9));
        }
    }
    void plan_without_message() {
        switch (draw(4)) {
            case 0:
                return load(word_of(WEIR_INPUT_WINDOW, draw(16)));
            case 1:
                return load(WEIR_BODY_BYTES);
            case 2:
                return store(WEIR_DISPOSE, 1);
            default:
                return store(WEIR_STORE_BODY, 8 * draw(10));
        }
    }
    // A range of memory; sometimes one that no engine moves.
    std::pair<std::uint64_t, std::uint64_t> range() {
        const std::uint64_t bytes = 8 * (1 + draw(12));
        const std::uint64_t from = 8 * draw((kRandomNodeMemory - bytes) / 8 + 1);
        switch (draw(40)) {
            case 0:
                return {from, 0};
            case 1:
                return {from + 4, bytes};
            case 2:
                return {from, bytes + 4};
            case 3:
                return {kRandomNodeMemory - bytes + 8, bytes};
            case 4:
                return {kRandomNodeMemory - bytes, bytes};
            case 5:
                return {0xffff'fff8U, 16};
            default:
                return {from, bytes};
        }
    }
    void plan_message() {
        const std::uint64_t operands = 2 + draw(15);
        const std::uint64_t pairs = chance(2) ? 0 : draw((16 - operands) / 2 + 1);
        const std::uint64_t words = operands + 2 * pairs;
        std::vector<std::uint64_t> contents{WEIR_HEADER(
            chance(30) ? 0x80 + draw(0x80) : draw(0x80), chance(30) ? operands + 1 : operands,
            chance(10) ? kRandomNodes : draw(kRandomNodes))};
        while (contents.size() < operands) {
            contents.push_back(draw(UINT64_C(1) << 32));
        }
        while (contents.size() < words) {
            const auto [from, bytes] = range();
            contents.push_back(from);
            contents.push_back(bytes);
        }
        const std::uint64_t stored = chance(30) ? words - 1 : words;
        for (std::uint64_t i = 0; i < stored;) {
            const bool is_double = i % 2 == 0 && i + 1 < stored && chance(3);
            store(word_of(WEIR_OUTPUT_DESCRIPTOR, i),
                  contents[i] | (is_double ? contents[i + 1] << 32 : 0), is_double ? 8 : 4);
            i += is_double ? 2 : 1;
        }
        const std::uint64_t said = chance(30) ? words + draw(4) : words;
        store(WEIR_LAUNCH, WEIR_LAUNCH_VALUE(chance(40) ? draw(20) : operands,
                                             pairs == 0 ? draw(3) : said, chance(2)));
    }
    // The accesses of a handler. After the store of the body's address, it loads words only if all
    // have arrived, or the engine is idle. The model shows words that have not arrived, too.
    void plan_handler(const Message& head) {
        handles_ = true;
        const auto words = static_cast<std::uint64_t>(head.word_count);
        const bool has_body = head.body_bytes > Bytes(0);
        const bool stores_first = has_body && chance(3);
        if (!stores_first) {
            plan_loads(words, true);
        }
        if (chance(8)) {
            store(WEIR_STORE_BODY, has_body ? 12 : 8);
        }
        if (has_body) {
            if (chance(8)) {
                store(WEIR_DISPOSE, 0);
            }
            if (!stores_first) {
                load(word_of(WEIR_INPUT_WINDOW, words - 1));
            }
            const auto bytes = static_cast<std::uint64_t>(head.body_bytes.count());
            if (chance(8)) {
                store(WEIR_STORE_BODY, kRandomNodeMemory - bytes + 8);
            }
            store(chance(2) ? WEIR_STORE_BODY : WEIR_STORE_BODY_AND_INTERRUPT,
                  chance(4) ? kRandomNodeMemory - bytes
                            : 8 * draw((kRandomNodeMemory - bytes) / 8 + 1));
            if (chance(8)) {
                store(WEIR_STORE_BODY, 0);
            }
            if (!stores_first) {
                plan_loads(words, false);
            }
            if (chance(4)) {
                load(WEIR_RECEIVE_DMA_IDLE);
                plan_loads(words, false);
            }
        }
        store(WEIR_DISPOSE, draw(9));
        plan_.back().ends_handler = true;
    }
    void plan_loads(std::uint64_t words, bool with_others) {
        for (std::uint64_t i = draw(5); i > 0; --i) {
            load(word_of(WEIR_INPUT_WINDOW, with_others && chance(12) ? draw(16) : draw(words)));
        }
        if (with_others && chance(3)) {
            load(WEIR_BODY_BYTES);
        }
    }

    void issue() {
        if (plan_.empty()) {
            return;
        }
        const Access& access = plan_.front();
        data_ = access.data;
        payload_.set_command(access.command);
        payload_.set_address(access.address);
        payload_.set_data_ptr(reinterpret_cast<unsigned char*>(&data_));
        payload_.set_data_length(access.bytes);
        payload_.set_streaming_width(access.bytes);
        payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay;
        waits_ = true;
        withdraws_ = false;
        if (bus_socket->nb_transport_fw(payload_, phase, delay) == tlm::TLM_COMPLETED) {
            answer(delay);
        }
    }
    void withdraw() {
        withdraws_ = true;
        ++withdrawals_;
        tlm::tlm_phase phase = WITHDRAW_REQUEST;
        sc_core::sc_time delay;
        bus_socket->nb_transport_fw(payload_, phase, delay);
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& /*payload*/,
                                       tlm::tlm_phase& /*phase*/, sc_core::sc_time& delay) {
        answer(delay);
        return tlm::TLM_COMPLETED;
    }
    // Issues a withdrawn access again.
    void answer(const sc_core::sc_time& delay) {
        waits_ = false;
        const Cycles cost = domain().to_cycles(delay);
        free_from_ = domain().now() + std::max(cost, Cycles(1));
        if (payload_.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) {
            return;
        }
        const Access access = plan_.front();
        plan_.pop_front();
        launches_ += access.address == WEIR_LAUNCH && payload_.is_response_ok() ? 1 : 0;
        if (access.ends_handler) {
            handles_ = false;
        }
    }

    MessageController& controller_;
    MessagePool& messages_;
    RandomStream random_;
    Cycles until_;
    std::deque<Access> plan_;
    tlm::tlm_generic_payload payload_;
    std::uint64_t data_ = 0;
    bool takes_interrupts_ = true;
    bool handles_ = false;
    bool waits_ = false;
    bool withdraws_ = false;
    Cycles free_from_{0};
    std::int64_t launches_ = 0;
    std::int64_t withdrawals_ = 0;
};

/// Another user of a memory port: bursts of random lengths at random places.
class RandomRequester final : public sc_core::sc_module, public ClockedPart {
  public:
    RandomRequester(const sc_core::sc_module_name& name, ClockDomain& domain, std::uint64_t seed,
                    Cycles until)
        : sc_module(name),
          ClockedPart(domain),
          random_(seed, NodeId(0), "requester"),
          until_(until) {
        memory_socket.register_nb_transport_bw(this, &RandomRequester::nb_transport_bw);
        wake_at(Cycles(0));
    }
    tlm_utils::simple_initiator_socket<RandomRequester> memory_socket{"memory_socket"};

    void tick(Cycles now) override {
        if (now >= until_) {
            return;
        }
        wake_at(now + Cycles(1));
        if (now.count() % 512 == 0) {
            percent_ = random_.below(3) == 0 ? random_.below(101) : 0;
        }
        if (waits_ || random_.below(100) >= percent_) {
            return;
        }
        const std::uint64_t bytes = 4 * (1 + random_.below(bytes_.size() / 4));
        payload_.set_command(tlm::TLM_READ_COMMAND);
        payload_.set_address(4 * random_.below((kRandomNodeMemory - bytes) / 4 + 1));
        payload_.set_data_ptr(bytes_.data());
        payload_.set_data_length(static_cast<unsigned>(bytes));
        payload_.set_streaming_width(static_cast<unsigned>(bytes));
        payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay;
        waits_ = true;
        memory_socket->nb_transport_fw(payload_, phase, delay);
    }

  private:
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& /*payload*/,
                                       tlm::tlm_phase& /*phase*/, sc_core::sc_time& /*delay*/) {
        waits_ = false;
        return tlm::TLM_COMPLETED;
    }

    RandomStream random_;
    Cycles until_;
    std::uint64_t percent_ = 0;
    bool waits_ = false;
    std::array<unsigned char, 64> bytes_{};
    tlm::tlm_generic_payload payload_;
};

/// A message controller with its engines and memory, between random neighbours. Set the parameters
/// before build().
class RandomNode {
  public:
    explicit RandomNode(ClockDomain& clock) : domain(clock) {}

    void build(std::uint64_t number, Cycles until) {
        const std::string name = "node" + std::to_string(number);
        port = std::make_unique<MemoryPort>((name + "_port").c_str(), domain, port_parameters);
        controller = std::make_unique<MessageController>(name.c_str(), domain, parameters, dma,
                                                         NodeId(5), kRandomNodes, messages,
                                                         MessageController::Traces{});
        controller->connect_memory(*port, Bytes(kRandomNodeMemory));
        dram = std::make_unique<testing::PlainDram>((name + "_dram").c_str(), kRandomNodeMemory);
        port->dram_socket.bind(dram->socket);
        core = std::make_unique<RandomCore>((name + "_core").c_str(), domain, *controller, messages,
                                            number, until);
        core->bus_socket.bind(controller->bus_socket);
        network = std::make_unique<RandomNetwork>(domain, *controller, messages, number, until);
        requester =
            std::make_unique<RandomRequester>((name + "_requester").c_str(), domain, number, until);
        requester->memory_socket.bind(port->requester_socket);
        controller_recorder = std::make_unique<MessageControllerRecorder>(
            domain,
            RecordedController{*controller, messages, parameters, dma, Bytes(kRandomNodeMemory),
                               kRandomNodes},
            until);
        output_recorder = std::make_unique<ByteQueueRecorder>(
            domain, controller->output_queue(), messages,
            output_queue_ports(RandomNetwork::kFlit, dma.burst_bytes.value()), until);
        input_recorder = std::make_unique<ByteQueueRecorder>(
            domain, controller->input_queue(), messages,
            input_queue_ports(RandomNetwork::kFlit, dma.burst_bytes.value()), until);
        dma_recorder = std::make_unique<DmaRecorder>(
            domain, RecordedDma{*port, *controller, messages, port_parameters, dma, parameters, 3},
            until);
    }

    ClockDomain& domain;
    MessagePool messages;
    ControllerParameters parameters;
    DmaParameters dma;
    MemoryPortParameters port_parameters;
    std::unique_ptr<MemoryPort> port;
    std::unique_ptr<MessageController> controller;
    std::unique_ptr<testing::PlainDram> dram;
    std::unique_ptr<RandomCore> core;
    std::unique_ptr<RandomNetwork> network;
    std::unique_ptr<RandomRequester> requester;
    std::unique_ptr<MessageControllerRecorder> controller_recorder;
    std::unique_ptr<ByteQueueRecorder> output_recorder;
    std::unique_ptr<ByteQueueRecorder> input_recorder;
    std::unique_ptr<DmaRecorder> dma_recorder;
};

/// Random nodes on one clock, in shuffled order.
class RandomNodes {
  public:
    RandomNodes() {
        EXPECT_TRUE(clock_.tick_order.set(std::string("shuffled")));
        domain_ = std::make_unique<ClockDomain>("clock", clock_, 1);
    }
    /// Adds a node that acts before cycle `until`; `set` changes its parameters.
    const RandomNode& add(Cycles until, const std::function<void(RandomNode&)>& set) {
        nodes_.push_back(std::make_unique<RandomNode>(*domain_));
        set(*nodes_.back());
        nodes_.back()->build(nodes_.size(), until);
        return *nodes_.back();
    }
    void run(Cycles cycles) { domain_->run_until(cycles); }
    [[nodiscard]] const std::vector<std::unique_ptr<RandomNode>>& nodes() const { return nodes_; }

  private:
    ClockDomainParameters clock_;
    std::unique_ptr<ClockDomain> domain_;
    std::vector<std::unique_ptr<RandomNode>> nodes_;
};

/// Sets a key to a random value in a range.
inline void draw(RandomStream& random, ParameterBase& key, std::int64_t least, std::int64_t most) {
    EXPECT_TRUE(key.set(least + static_cast<std::int64_t>(random.below(most - least + 1))));
}

}  // namespace weir::hw::twin
