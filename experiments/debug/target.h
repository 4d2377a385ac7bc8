#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace weir::experiments::debug {

/// GDB's register numbers of a 32-bit SPARC. All registers are 32-bit words.
/// - 0 to 31: integer registers of the current window, in the order g, o, l, i
/// - 32 to 63: f0 to f31
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
inline constexpr unsigned kCsr = 71;  ///< coprocessor status; always 0
inline constexpr unsigned kRegisters = 72;

/// Breakpoint or watchpoint of all nodes, which run the same program.
struct StopPoint {
    /// Numbers of the protocol (Z0 to Z4).
    enum class Kind : std::uint8_t {
        kBreakpoint,          ///< stops before the instruction at `address`
        kHardwareBreakpoint,  ///< as kBreakpoint: no breakpoint changes memory
        kWrite,               ///< stops behind a store to any of the bytes
        kRead,
        kAccess,
    };

    Kind kind = Kind::kBreakpoint;
    std::uint32_t address = 0;
    std::uint32_t bytes = 4;

    bool operator==(const StopPoint&) const = default;
};

/// Stopped machine, as a debugger sees it. Nodes are numbered from 0.
class Target {
  public:
    Target() = default;
    Target(const Target&) = delete;
    Target& operator=(const Target&) = delete;
    virtual ~Target() = default;

    [[nodiscard]] virtual int node_count() const = 0;
    /// State that a list of nodes shows beside each node.
    [[nodiscard]] virtual std::string state_of(int node) const = 0;
    /// Cycle in which the node's next instruction is issued.
    [[nodiscard]] virtual std::int64_t cycle(int node) const = 0;

    [[nodiscard]] virtual std::uint32_t read_register(int node, unsigned number) const = 0;
    /// Returns false if the register cannot take the value; it then keeps its own.
    virtual bool write_register(int node, unsigned number, std::uint32_t value) = 0;

    /// Returns the number of bytes from `address` on that could be read.
    virtual std::size_t read_memory(int node, std::uint32_t address,
                                    std::span<std::uint8_t> bytes) = 0;
    /// Writes all of the bytes. Returns the reason if nothing was written; empty otherwise.
    [[nodiscard]] virtual std::string write_memory(int node, std::uint32_t address,
                                                   std::span<const std::uint8_t> bytes) = 0;

    virtual void insert(const StopPoint& point) = 0;
    virtual void remove(const StopPoint& point) = 0;

    /// Answer to a `monitor LINE` command; empty if the command is unknown.
    [[nodiscard]] virtual std::string monitor(const std::string& line) = 0;
};

}  // namespace weir::experiments::debug
