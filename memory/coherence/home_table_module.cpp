#include "memory/coherence/home_table_module.h"

#include <cstdint>

#include "hw/text_streams.h"

namespace weir::memory {

namespace {

constexpr int kRowBits = 21;

class RowBits {
  public:
    template <class Field>
    RowBits& add(Field field, int bits) {
        bits_ |= static_cast<std::uint64_t>(field) << at_;
        at_ += bits;
        return *this;
    }
    [[nodiscard]] std::uint64_t bits() const { return bits_; }

  private:
    std::uint64_t bits_ = 0;
    int at_ = 0;
};

std::uint64_t bits_of(const HomeTransition& row) {
    return RowBits()
        .add(row.when, 4)
        .add(row.next, 4)
        .add(row.reply, 4)
        .add(row.pointers, 3)
        .add(row.invalidates, 2)
        .add(row.begins, 1)
        .add(row.stores_line, 1)
        .add(row.counts, 1)
        .add(row.traps, 1)
        .bits();
}

}  // namespace

std::string home_table_module(Protocol protocol) {
    hw::TextWriter text;
    text << "// Generated from memory/coherence/home_table.cpp.\n"
            "module home_table (\n"
            "    input  logic [3:0] state,\n"
            "    input  logic [3:0] packet,\n"
            "    output logic [41:0] rows\n"
            ");\n"
            "  always_comb begin\n"
            "    case ({state, packet})\n";
    const HomeTable& table = home_table(protocol);
    for (std::size_t state = 0; state < kHomeStates; ++state) {
        const HomeCells& cells = table[static_cast<HomeState>(state)];
        for (std::size_t packet = 0; packet < kPacketsToMemory; ++packet) {
            const HomeCell& cell = cells[packet];
            const std::uint64_t rows = bits_of(cell[0]) | bits_of(cell[1]) << kRowBits;
            if (rows != 0) {
                text << "      {4'd" << state << ", 4'd" << packet << "}: rows = 42'd" << rows
                     << ";  // " << std::string(name_of(static_cast<HomeState>(state))) << ", "
                     << std::string(name_of(static_cast<Packet>(packet))) << "\n";
            }
        }
    }
    text << "      default: rows = '0;\n"
            "    endcase\n"
            "  end\n"
            "endmodule\n";
    return text.str();
}

}  // namespace weir::memory
