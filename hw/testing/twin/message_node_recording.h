#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "hw/testing/twin/byte_queue_recorder.h"
#include "hw/testing/twin/dma_recorder.h"
#include "hw/testing/twin/message_controller_recorder.h"
#include "hw/testing/twin/port_recording.h"

namespace weir::hw::twin {

/// Part of a port of another recording, which a joined recording has as a port of its own.
struct JoinedPort {
    std::string name;
    const PortRecording& recording;
    std::string port;
    int first_bit = 0;
    int bits = 0;  ///< 0: all
};

/// A recording whose ports are those of other recordings of the same run.
[[nodiscard]] inline PortRecording joined(std::vector<JoinedPort> ports) {
    struct Source {
        const std::vector<std::uint32_t>& rows;
        std::size_t row_words;
        std::size_t first_word;  // values in a row begin here
        std::size_t mask_word;   // mask of compared bits
        int first_bit;
    };
    std::vector<Port> declared;
    std::vector<Source> sources;
    for (JoinedPort& joined : ports) {
        const std::vector<Port>& others = joined.recording.ports();
        const auto found = std::find_if(others.begin(), others.end(),
                                        [&](const Port& port) { return port.name == joined.port; });
        const auto number = static_cast<std::size_t>(found - others.begin());
        joined.bits = joined.bits == 0 ? found->bits : joined.bits;
        declared.push_back({joined.name, joined.bits, found->direction});
        const std::size_t inputs = PortRecording::words(joined.recording.bits(Direction::kInput));
        const std::size_t outputs = PortRecording::words(joined.recording.bits(Direction::kOutput));
        const bool is_input = found->direction == Direction::kInput;
        sources.push_back({joined.recording.rows(), inputs + 2 * outputs, is_input ? 0 : inputs,
                           inputs + outputs,
                           joined.recording.first_bit(number) + joined.first_bit});
    }
    PortRecording recording(declared);
    const std::int64_t cycles = ports.front().recording.cycles();
    for (std::int64_t cycle = 0; cycle < cycles; ++cycle) {
        for (std::size_t port = 0; port < ports.size(); ++port) {
            const Source& source = sources[port];
            const std::uint32_t* const row =
                source.rows.data() + static_cast<std::size_t>(cycle) * source.row_words;
            const auto bit_of = [row](std::size_t first_word, int bit) {
                return row[first_word + static_cast<std::size_t>(bit / 32)] >> (bit % 32) & 1U;
            };
            for (int bit = 0; bit < ports[port].bits; ++bit) {
                if (bit_of(source.first_word, source.first_bit + bit) != 0) {
                    recording.set(port, 1, bit, 1);
                }
                if (declared[port].direction == Direction::kOutput &&
                    bit_of(source.mask_word, source.first_bit + bit) == 0) {
                    recording.ignore(port, bit, 1);
                }
            }
        }
        recording.end_cycle();
    }
    return recording;
}

/// Recording of the ports of message_node.sv.
[[nodiscard]] inline PortRecording message_node_recording(
    const ByteQueueRecorder& output, const ByteQueueRecorder& input,
    const MessageControllerRecorder& controller, const DmaRecorder& dma) {
    const PortRecording& bus = controller.recording();
    const PortRecording& out = output.recording();
    const PortRecording& in = input.recording();
    constexpr int kBodyBits = kByteQueueMessageBits - kByteQueueWordsBits;
    constexpr int kOther = 2;  // port of the other user of memory
    return joined({{"access", bus, "access"},
                   {"is_store", bus, "is_store"},
                   {"is_double", bus, "is_double"},
                   {"address", bus, "address"},
                   {"data", bus, "data"},
                   {"withdraw", bus, "withdraw"},
                   {"answered", bus, "answered"},
                   {"refused", bus, "refused"},
                   {"answer_cycles", bus, "answer_cycles"},
                   {"answer_data", bus, "answer_data"},
                   {"message_interrupt", bus, "message_interrupt"},
                   {"dma_interrupt", bus, "dma_interrupt"},
                   {"overflow", bus, "overflow"},
                   {"saved_messages", bus, "saved_messages"},
                   {"output_available", out, "available"},
                   {"output_data", out, "front_data"},
                   {"output_has_message", out, "has_message"},
                   {"output_pop_bytes", out, "pop_bytes"},
                   {"output_end_message", out, "end_message"},
                   {"input_room", in, "room"},
                   {"input_push_bytes", in, "push_bytes"},
                   {"input_push_data", in, "push_data"},
                   {"input_begin_message", in, "begin_messages", 0, 1},
                   {"input_words", in, "begun", 0, kByteQueueWordsBits},
                   {"input_body_bytes", in, "begun", kByteQueueWordsBits, kBodyBits},
                   {"header_arrived", bus, "header_arrived"},
                   {"stopped", bus, "stopped"},
                   {"grant", dma.port(), "grant", 0, kOther + 1},
                   {"grant_cycles", dma.port(), "grant_cycles"},
                   {"read_data", dma.send(), "memory_data"},
                   {"written_data", dma.receive(), "written_data"},
                   {"other_request", dma.port(), "request", kOther, 1},
                   {"other_bytes", dma.port(), "bytes", 9 * kOther, 9},
                   {"other_address", dma.port(), "address", 32 * kOther, 32}});
}

}  // namespace weir::hw::twin
