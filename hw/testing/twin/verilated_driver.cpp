// The main program of a verilated twin. It runs an instance for each recording, all in the same
// cycles, and compares their outputs with the recorded ones. twin.cpp compiles it once, and links
// it with what Verilator makes of each twin; no other target does.
//
// Arguments: the number of cycles; the words of inputs and of outputs in a row; a file of wires. A
// file of rows for each instance follows (PortRecording::rows()). A wire is five numbers: instance
// and lowest bit of the output, instance and lowest bit of the input, number of bits.
//
// Output: the number of differing cycles, summed over the instances. After it, if there is one, the
// cycle and the instance of the first difference, and the output's words at that time.
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "verilated.h"

// The verilated module, in a file that twin.cpp writes.
void* weir_twin_new(VerilatedContext* context);
std::uint32_t* weir_twin_inputs(void* twin);
const std::uint32_t* weir_twin_outputs(void* twin);
void weir_twin_eval(void* twin, bool clock, bool reset);

namespace {

struct Wire {
    std::size_t from = 0;
    int from_bit = 0;
    std::size_t to = 0;
    int to_bit = 0;
    int bits = 0;
};

struct Instance {
    void* twin = nullptr;
    std::uint32_t* inputs = nullptr;
    const std::uint32_t* outputs = nullptr;
    std::ifstream file;
    std::vector<std::uint32_t> row;

    bool differs(std::size_t input_words, std::size_t output_words) const {
        const std::uint32_t* expected = row.data() + input_words;
        const std::uint32_t* compared = expected + output_words;
        for (std::size_t i = 0; i < output_words; ++i) {
            if (((outputs[i] ^ expected[i]) & compared[i]) != 0) {
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
        const std::uint32_t* from = instances[wire.from].outputs;
        std::uint32_t* to = instances[wire.to].inputs;
        for (int bit = 0; bit < wire.bits; ++bit) {
            const int source = wire.from_bit + bit;
            const int target = wire.to_bit + bit;
            const std::uint32_t value = from[source / 32] >> (source % 32) & 1U;
            const std::uint32_t mask = 1U << (target % 32);
            std::uint32_t word = to[target / 32];
            word = value != 0 ? word | mask : word & ~mask;
            has_changed = has_changed || word != to[target / 32];
            to[target / 32] = word;
        }
    }
    return has_changed;
}

void settle(const std::vector<Wire>& wires, std::vector<Instance>& instances) {
    std::size_t rounds = 0;
    do {
        for (Instance& each : instances) {
            weir_twin_eval(each.twin, false, false);
        }
        if (++rounds > 2 * instances.size() + 2) {
            std::cerr << "the wires make a combinational loop\n";
            std::exit(1);
        }
    } while (carry(wires, instances));
}

}  // namespace

int main(int argc, char** argv) {
    constexpr int kFirstFile = 5;
    const std::int64_t cycles = std::atoll(argv[1]);
    const std::size_t inputs = std::atoll(argv[2]);
    const std::size_t outputs = std::atoll(argv[3]);
    std::vector<Wire> wires;
    std::ifstream wire_file(argv[4]);
    for (Wire wire;
         wire_file >> wire.from >> wire.from_bit >> wire.to >> wire.to_bit >> wire.bits;) {
        wires.push_back(wire);
    }
    VerilatedContext context;
    context.randReset(2);  // registers without a reset begin with random bits
    std::vector<Instance> instances(argc - kFirstFile);
    for (std::size_t i = 0; i < instances.size(); ++i) {
        Instance& each = instances[i];
        each.twin = weir_twin_new(&context);
        each.inputs = weir_twin_inputs(each.twin);
        each.outputs = weir_twin_outputs(each.twin);
        each.file.open(argv[kFirstFile + i], std::ios::binary);
        each.row.resize(inputs + 2 * outputs);
        weir_twin_eval(each.twin, false, true);
        weir_twin_eval(each.twin, true, true);
    }

    std::int64_t differing = 0;
    std::string first;
    for (std::int64_t cycle = 0; cycle < cycles; ++cycle) {
        for (Instance& each : instances) {
            const auto bytes = static_cast<std::streamsize>(4 * each.row.size());
            if (!each.file.read(reinterpret_cast<char*>(each.row.data()), bytes)) {
                std::cerr << "a recording is too short\n";
                return 1;
            }
            for (std::size_t i = 0; i < inputs; ++i) {
                each.inputs[i] = each.row[i];
            }
        }
        if (!wires.empty()) {
            carry(wires, instances);
        }
        settle(wires, instances);
        for (std::size_t i = 0; i < instances.size(); ++i) {
            if (!instances[i].differs(inputs, outputs)) {
                continue;
            }
            if (++differing == 1) {
                first = std::to_string(cycle) + " " + std::to_string(i);
                for (std::size_t word = 0; word < outputs; ++word) {
                    first += " " + std::to_string(instances[i].outputs[word]);
                }
            }
        }
        for (Instance& each : instances) {
            weir_twin_eval(each.twin, true, false);
        }
    }
    std::cout << differing << '\n' << first << '\n';
    return 0;
}
