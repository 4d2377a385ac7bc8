#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace weir::experiments::debug {

/// GDB's numbers of a 32-bit SPARC's registers. All are words of 32 bits; 0 to 31 are the integer
/// registers of the current window, g, o, l and i, and 32 to 63 are f0 to f31.
inline constexpr unsigned kStackPointer = 14;
inline constexpr unsigned kFramePointer = 30;
inline constexpr unsigned kFloatRegisters = 32;
inline constexpr unsigned kY = 64;
inline constexpr unsigned kPsr = 65;
inline constexpr unsigned kWim = 66;
inline constexpr unsigned kTbr = 67;
inline constexpr unsigned kPc = 68;
inline constexpr unsigned kNpc = 69;
inline constexpr unsigned kFsr = 70;
inline constexpr unsigned kCsr = 71;  ///< a coprocessor's; always 0
inline constexpr unsigned kRegisters = 72;

/// What a debugger asks a machine to stop at. All nodes run one program, so it holds for all.
struct StopPoint {
    /// The numbers are the protocol's (Z0 to Z4).
    enum class Kind : std::uint8_t {
        kBreakpoint,          ///< before the instruction at `address`
        kHardwareBreakpoint,  ///< the same: every breakpoint leaves memory as it is
        kWrite,               ///< behind a store to one of the bytes
        kRead,
        kAccess,
    };

    Kind kind = Kind::kBreakpoint;
    std::uint32_t address = 0;
    std::uint32_t bytes = 4;

    bool operator==(const StopPoint&) const = default;
};

/// A machine that stands still, as a debugger sees it. Nodes are counted from 0.
class Target {
  public:
    Target() = default;
    Target(const Target&) = delete;
    Target& operator=(const Target&) = delete;
    virtual ~Target() = default;

    [[nodiscard]] virtual int node_count() const = 0;
    /// What a list of nodes shows beside each.
    [[nodiscard]] virtual std::string state_of(int node) const = 0;
    /// In which its next instruction is issued.
    [[nodiscard]] virtual std::int64_t cycle(int node) const = 0;

    [[nodiscard]] virtual std::uint32_t read_register(int node, unsigned number) const = 0;
    /// False: it stays as it is.
    virtual bool write_register(int node, unsigned number, std::uint32_t value) = 0;

    /// How many bytes from `address` on could be read.
    virtual std::size_t read_memory(int node, std::uint32_t address,
                                    std::span<std::uint8_t> bytes) = 0;
    /// False: nothing was written.
    virtual bool write_memory(int node, std::uint32_t address,
                              std::span<const std::uint8_t> bytes) = 0;

    virtual void insert(const StopPoint& point) = 0;
    virtual void remove(const StopPoint& point) = 0;

    /// The answer to a line that the protocol does not know (`monitor LINE`); nothing if nobody
    /// here does.
    [[nodiscard]] virtual std::string monitor(const std::string& line) = 0;
};

}  // namespace weir::experiments::debug
