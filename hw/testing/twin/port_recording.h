#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace weir::hw::twin {

enum class Direction : std::uint8_t { kInput, kOutput };

/// A port of a part's twin: a bit or a flat vector. The clock and the reset are not among them.
struct Port {
    std::string name;
    int bits = 1;
    Direction direction = Direction::kInput;
};

/// The values at a part's ports in a run of the model, one row per cycle.
///
/// A recorder fills the row of a cycle at the cycle's end. It reads what the part and its
/// neighbours did in this cycle, and computes nothing by itself. An input has the value that the
/// twin reads in this cycle, and stores at the clock edge that ends it. An output has the value
/// that the twin must show just before this edge. Bits that are not set are those of the default
/// row, which is 0 at first.
///
///     PortRecording recording({{"put", 1, Direction::kInput}, {"front", 18, Direction::kOutput}});
///     recording.set(kPut, 1);              // a whole port
///     recording.set(kFront, flit, 0, 18);  // bits 0 to 17 of a port
///     recording.end_cycle();
class PortRecording {
  public:
    explicit PortRecording(std::vector<Port> ports);

    /// Sets a port in the row of the current cycle: all its bits, at most 64, or `bits` of them
    /// from `first_bit` on. The value must fit.
    void set(std::size_t port, std::uint64_t value);
    void set(std::size_t port, std::uint64_t value, int first_bit, int bits);
    /// Sets a port in the default row, and in the current one.
    void set_always(std::size_t port, std::uint64_t value);
    /// Excludes bits of an output from the comparison in the current cycle, since nothing reads
    /// them.
    void ignore(std::size_t port, int first_bit, int bits);
    /// Ends the row of the current cycle.
    void end_cycle();

    [[nodiscard]] const std::vector<Port>& ports() const { return ports_; }
    [[nodiscard]] std::int64_t cycles() const { return cycles_; }
    /// Total bits of all inputs, or of all outputs.
    [[nodiscard]] int bits(Direction direction) const;
    /// Lowest bit of a port among all ports of its direction, which follow one another.
    [[nodiscard]] int first_bit(std::size_t port) const { return first_bits_.at(port); }
    /// Rows of 32-bit words: inputs, outputs, and the mask of the outputs that are compared.
    [[nodiscard]] const std::vector<std::uint32_t>& rows() const { return rows_; }
    /// Words of `bits` bits in a row.
    [[nodiscard]] static std::size_t words(int bits);

  private:
    struct Row {
        std::vector<std::uint32_t> inputs;
        std::vector<std::uint32_t> outputs;
        std::vector<std::uint32_t> compared;
    };
    void write(Row& row, std::size_t port, std::uint64_t value, int first_bit, int bits) const;

    std::vector<Port> ports_;
    std::vector<int> first_bits_;
    Row default_;
    Row current_;
    std::vector<std::uint32_t> rows_;
    std::int64_t cycles_ = 0;
};

}  // namespace weir::hw::twin
