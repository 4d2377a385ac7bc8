// The main program of a verilated twin: runs an instance for each recording, all in the same
// cycles, and compares their outputs with the recorded ones. twin.cpp compiles it with the code
// that Verilator generates; no other target does.
//
// Arguments: the number of cycles, a file of wires, a file of rows for each instance (see
// PortRecording::rows()). A wire is five numbers: instance and lowest bit of the output, instance
// and lowest bit of the input, number of bits.
//
// Output: the number of differing cycles, summed over the instances. After it, if there is one, the
// cycle and the instance of the first difference, and the output's words at that time.
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <vector>

#include "Vtwin.h"
#include "verilated.h"

namespace {

constexpr std::size_t kInputs = VL_WORDS_I(WEIR_INPUT_BITS);
constexpr std::size_t kOutputs = VL_WORDS_I(WEIR_OUTPUT_BITS);
constexpr std::size_t kRow = kInputs + 2 * kOutputs;

struct Wire {
    std::size_t from = 0;
    int from_bit = 0;
    std::size_t to = 0;
    int to_bit = 0;
    int bits = 0;
};

struct Instance {
    std::unique_ptr<Vtwin> twin;
    std::ifstream rows;
    std::uint32_t row[kRow] = {};

    bool differs() const {
        for (std::size_t i = 0; i < kOutputs; ++i) {
            if (((twin->out[i] ^ row[kInputs + i]) & row[kInputs + kOutputs + i]) != 0) {
                return true;
            }
        }
        return false;
    }
};

// Copies the wires' values. True if an input has changed.
bool carry(const std::vector<Wire>& wires, std::vector<Instance>& instances) {
    bool has_changed = false;
    for (const Wire& wire : wires) {
        const Vtwin& from = *instances[wire.from].twin;
        Vtwin& to = *instances[wire.to].twin;
        for (int bit = 0; bit < wire.bits; ++bit) {
            const int source = wire.from_bit + bit;
            const int target = wire.to_bit + bit;
            const std::uint32_t value = from.out[source / 32] >> (source % 32) & 1U;
            const std::uint32_t mask = 1U << (target % 32);
            std::uint32_t word = to.in[target / 32];
            word = value != 0 ? word | mask : word & ~mask;
            has_changed = has_changed || word != to.in[target / 32];
            to.in[target / 32] = word;
        }
    }
    return has_changed;
}

void settle(const std::vector<Wire>& wires, std::vector<Instance>& instances) {
    std::size_t rounds = 0;
    do {
        for (Instance& each : instances) {
            each.twin->eval();
        }
        if (++rounds > 2 * instances.size() + 2) {
            std::cerr << "the wires make a combinational loop\n";
            std::exit(1);
        }
    } while (carry(wires, instances));
}

void edge(std::vector<Instance>& instances) {
    for (Instance& each : instances) {
        each.twin->clk = 1;
        each.twin->eval();
        each.twin->clk = 0;
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::int64_t cycles = std::atoll(argv[1]);
    std::vector<Wire> wires;
    std::ifstream wire_file(argv[2]);
    for (Wire wire;
         wire_file >> wire.from >> wire.from_bit >> wire.to >> wire.to_bit >> wire.bits;) {
        wires.push_back(wire);
    }
    VerilatedContext context;
    std::vector<Instance> instances(argc - 3);
    for (std::size_t i = 0; i < instances.size(); ++i) {
        instances[i].twin = std::make_unique<Vtwin>(&context);
        instances[i].rows.open(argv[3 + i], std::ios::binary);
        instances[i].twin->clk = 0;
        instances[i].twin->reset = 1;
        instances[i].twin->eval();
    }
    edge(instances);

    std::int64_t differing = 0;
    std::string first;
    for (std::int64_t cycle = 0; cycle < cycles; ++cycle) {
        for (Instance& each : instances) {
            if (!each.rows.read(reinterpret_cast<char*>(each.row), sizeof each.row)) {
                std::cerr << "a recording is too short\n";
                return 1;
            }
            each.twin->reset = 0;
            for (std::size_t i = 0; i < kInputs; ++i) {
                each.twin->in[i] = each.row[i];
            }
        }
        if (!wires.empty()) {
            carry(wires, instances);
        }
        settle(wires, instances);
        for (std::size_t i = 0; i < instances.size(); ++i) {
            if (!instances[i].differs()) {
                continue;
            }
            if (++differing == 1) {
                first = std::to_string(cycle) + " " + std::to_string(i);
                for (std::size_t word = 0; word < kOutputs; ++word) {
                    first += " " + std::to_string(instances[i].twin->out[word]);
                }
            }
        }
        edge(instances);
    }
    std::cout << differing << '\n' << first << '\n';
    return 0;
}
