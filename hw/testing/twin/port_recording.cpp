#include "hw/testing/twin/port_recording.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace weir::hw::twin {

namespace {

constexpr int kWordBits = 32;

void set_bit(std::vector<std::uint32_t>& words, int bit, bool value) {
    std::uint32_t& word = words.at(static_cast<std::size_t>(bit / kWordBits));
    const std::uint32_t mask = std::uint32_t{1} << (bit % kWordBits);
    word = value ? word | mask : word & ~mask;
}

}  // namespace

PortRecording::PortRecording(std::vector<Port> ports) : ports_(std::move(ports)) {
    int inputs = 0;
    int outputs = 0;
    for (const Port& port : ports_) {
        int& next = port.direction == Direction::kInput ? inputs : outputs;
        first_bits_.push_back(next);
        next += port.bits;
    }
    default_.inputs.resize(words(inputs));
    default_.outputs.resize(words(outputs));
    default_.compared.resize(words(outputs));
    for (int bit = 0; bit < outputs; ++bit) {
        set_bit(default_.compared, bit, true);
    }
    current_ = default_;
}

// At least three words, so that Verilator passes every vector as an array of words.
std::size_t PortRecording::words(int bits) {
    return static_cast<std::size_t>(std::max(3, (bits + kWordBits - 1) / kWordBits));
}

int PortRecording::bits(Direction direction) const {
    int sum = 0;
    for (const Port& port : ports_) {
        sum += port.direction == direction ? port.bits : 0;
    }
    return sum;
}

void PortRecording::write(Row& row, std::size_t port, std::uint64_t value, int first_bit,
                          int bits) const {
    const Port& written = ports_.at(port);
    const bool fits = bits >= 64 || value >> bits == 0;
    if (!fits || first_bit < 0 || first_bit + bits > written.bits) {
        throw std::out_of_range("a value of " + std::to_string(value) + " in " +
                                std::to_string(bits) + " bits from bit " +
                                std::to_string(first_bit) + " does not fit port " + written.name);
    }
    std::vector<std::uint32_t>& words =
        written.direction == Direction::kInput ? row.inputs : row.outputs;
    for (int bit = 0; bit < bits; ++bit) {
        set_bit(words, first_bits_[port] + first_bit + bit, (value >> bit & 1U) != 0);
    }
}

void PortRecording::set(std::size_t port, std::uint64_t value) {
    write(current_, port, value, 0, std::min(64, ports_.at(port).bits));
}

void PortRecording::set(std::size_t port, std::uint64_t value, int first_bit, int bits) {
    write(current_, port, value, first_bit, bits);
}

void PortRecording::set_always(std::size_t port, std::uint64_t value) {
    const int bits = std::min(64, ports_.at(port).bits);
    write(default_, port, value, 0, bits);
    write(current_, port, value, 0, bits);
}

void PortRecording::ignore(std::size_t port, int first_bit, int bits) {
    const Port& ignored = ports_.at(port);
    if (ignored.direction == Direction::kInput || first_bit + bits > ignored.bits) {
        throw std::out_of_range("no such bits of an output: " + ignored.name);
    }
    for (int bit = 0; bit < bits; ++bit) {
        set_bit(current_.compared, first_bits_[port] + first_bit + bit, false);
    }
}

void PortRecording::end_cycle() {
    rows_.insert(rows_.end(), current_.inputs.begin(), current_.inputs.end());
    rows_.insert(rows_.end(), current_.outputs.begin(), current_.outputs.end());
    rows_.insert(rows_.end(), current_.compared.begin(), current_.compared.end());
    current_ = default_;
    ++cycles_;
}

}  // namespace weir::hw::twin
