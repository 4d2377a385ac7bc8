#include "hw/testing/twin/twin.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "hw/testing/test_folder.h"

namespace weir::hw::twin {

namespace {

namespace fs = std::filesystem;

constexpr int kBitsOfWord = 32;
constexpr const char* kVerilatedCompiler =
    "g++ -std=c++17 -O1 -w -pthread -I /usr/share/verilator/include";

std::string quoted(const std::string& word) { return "'" + word + "'"; }

struct Output {
    int status = 0;
    std::string text = {};
};

// Runs a command of the shell; the text is its output and its errors.
Output output_of(const std::string& command) {
    FILE* pipe = popen(("(" + command + ") 2>&1 </dev/null").c_str(), "r");
    if (pipe == nullptr) {
        throw std::runtime_error("no process for " + command);
    }
    Output output;
    std::array<char, 4096> part{};
    for (std::size_t count = 0; (count = fread(part.data(), 1, part.size(), pipe)) > 0;) {
        output.text.append(part.data(), count);
    }
    output.status = pclose(pipe);
    return output;
}

std::string text_of(const std::string& command) {
    Output output = output_of(command);
    if (output.status != 0) {
        throw std::runtime_error(command + " failed:\n" + output.text);
    }
    return std::move(output.text);
}

fs::path path_of(const std::string& source) { return fs::path(WEIR_CHECKOUT) / source; }

std::string read(const fs::path& path) {
    std::ifstream file(path);
    if (!file) {
        throw std::runtime_error("no file " + path.string());
    }
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

void write(const fs::path& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) {
        throw std::runtime_error("no room for " + path.string());
    }
}

std::string source_of(const Twin& twin) {
    std::string text;
    for (const std::string& source : twin.sources) {
        text += read(path_of(source)) + "\n";
    }
    return text;
}

std::string with_fault(std::string source, const Fault& fault) {
    const std::size_t place = source.find(fault.text);
    if (place == std::string::npos || source.find(fault.text, place + 1) != std::string::npos) {
        throw std::invalid_argument("the text of the fault \"" + fault.name +
                                    "\" is not in the twin's sources exactly once: " + fault.text);
    }
    return source.replace(place, fault.text.size(), fault.replacement);
}

// Module whose only ports are the clock, the reset, and a vector of all inputs and one of all
// outputs.
std::string wrapper_of(const Twin& twin, const PortRecording& recording) {
    std::ostringstream text;
    const auto vector = [&recording](Direction direction) {
        return PortRecording::words(recording.bits(direction)) * kBitsOfWord - 1;
    };
    text << "module weir_twin(input logic clk, input logic reset,\n"
         << "  input logic [" << vector(Direction::kInput) << ":0] in,\n"
         << "  output logic [" << vector(Direction::kOutput) << ":0] out);\n";
    const int outputs = recording.bits(Direction::kOutput);
    if (static_cast<std::size_t>(outputs) <= vector(Direction::kOutput)) {
        text << "  assign out[" << vector(Direction::kOutput) << ":" << outputs << "] = '0;\n";
    }
    text << "  " << twin.module << " #(";
    const char* comma = "";
    for (const auto& [name, value] : twin.parameters) {
        text << comma << "." << name << "(" << value << ")";
        comma = ", ";
    }
    text << ") part (.clk(clk), .reset(reset)";
    for (std::size_t i = 0; i < recording.ports().size(); ++i) {
        const Port& port = recording.ports()[i];
        text << ",\n    ." << port.name << "("
             << (port.direction == Direction::kInput ? "in" : "out") << "["
             << recording.first_bit(i) + port.bits - 1 << ":" << recording.first_bit(i) << "])";
    }
    text << ");\nendmodule\n";
    return text.str();
}

// FNV-1a.
std::string hash_of(const std::string& text) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char letter : text) {
        hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3U;
    }
    std::ostringstream digits;
    digits << std::hex << hash;
    return digits.str();
}

// A file of the store, made by `make` if it is not there. It is complete at once, since other tests
// may look for it.
template <class Make>
fs::path stored(const std::string& hash, const char* suffix, Make make) {
    const fs::path folder = WEIR_TWINS_FOLDER;
    fs::path file = folder / (hash + suffix);
    if (!fs::exists(file)) {
        fs::create_directories(folder);
        const testing::TestFolder temporary(folder);
        fs::rename(make(temporary.path()), file);
    }
    return file;
}

// Verilator's header, precompiled: it takes longer to read than a twin to compile.
fs::path precompiled_header(const std::string& version) {
    return stored(hash_of(version + kVerilatedCompiler), ".h.gch", [](const fs::path& folder) {
        text_of(std::string(kVerilatedCompiler) + " -x c++-header -o " +
                quoted((folder / "made").string()) + " /usr/share/verilator/include/verilated.h");
        return folder / "made";
    });
}

// Verilator's library and the driver.
fs::path driver_object(const std::string& version) {
    const fs::path driver = path_of("hw/testing/twin/verilated_driver.cpp");
    return stored(hash_of(version + kVerilatedCompiler + read(driver)), ".o",
                  [&driver](const fs::path& folder) {
                      text_of("cd " + quoted(folder.string()) + " && " + kVerilatedCompiler +
                              " -c /usr/share/verilator/include/verilated.cpp" +
                              " /usr/share/verilator/include/verilated_threads.cpp " +
                              quoted(driver.string()) + " && ld -r -o made *.o");
                      return folder / "made";
                  });
}

// Functions of the driver for this twin.
constexpr const char* kFunctions =
    "void* weir_twin_new(VerilatedContext* context) { return new Vtwin(context); }\n"
    "std::uint32_t* weir_twin_inputs(void* twin) { return static_cast<Vtwin*>(twin)->in.data(); }\n"
    "const std::uint32_t* weir_twin_outputs(void* twin) {\n"
    "    return static_cast<Vtwin*>(twin)->out.data();\n"
    "}\n"
    "void weir_twin_eval(void* twin, bool clock, bool reset) {\n"
    "    static_cast<Vtwin*>(twin)->clk = clock;\n"
    "    static_cast<Vtwin*>(twin)->reset = reset;\n"
    "    static_cast<Vtwin*>(twin)->eval();\n"
    "}\n";

fs::path program_of(const Twin& twin, const std::string& source, const PortRecording& recording) {
    const std::string version = text_of("verilator --version");
    const std::string wrapper = wrapper_of(twin, recording);
    const fs::path driver = driver_object(version);
    const fs::path header = precompiled_header(version).replace_extension("");
    return stored(
        hash_of(driver.string() + kFunctions + wrapper + source), "", [&](const fs::path& folder) {
            write(folder / "twin.sv", source + wrapper);
            write(folder / "functions.cpp", kFunctions);
            text_of("cd " + quoted(folder.string()) +
                    " && verilator --cc -Wno-fatal -Wno-lint --top-module weir_twin --prefix Vtwin"
                    " --Mdir made twin.sv" +
                    " && for each in made/*.cpp functions.cpp; do echo \"#include \\\"$each\\\"\";"
                    " done >all.cpp && " +
                    kVerilatedCompiler + " -include " + quoted(header.string()) +
                    " -I made -I . -o twin all.cpp " + quoted(driver.string()) + " -latomic");
            return folder / "twin";
        });
}

std::string hexadecimal(const std::vector<std::uint32_t>& words, const PortRecording& recording,
                        std::size_t port) {
    std::string digits;
    for (int bit = 0; bit < recording.ports()[port].bits; bit += 4) {
        unsigned digit = 0;
        for (int i = 0; i < 4 && bit + i < recording.ports()[port].bits; ++i) {
            const int place = recording.first_bit(port) + bit + i;
            digit |=
                (words[static_cast<std::size_t>(place / kBitsOfWord)] >> (place % kBitsOfWord) & 1U)
                << i;
        }
        digits.insert(digits.begin(), "0123456789abcdef"[digit]);
    }
    return digits;
}

Difference difference_of(std::istream& words, const std::vector<PortRecording>& recordings) {
    Difference difference;
    words >> difference.cycle >> difference.instance;
    const PortRecording& recording = recordings.at(difference.instance);
    const std::size_t inputs = PortRecording::words(recording.bits(Direction::kInput));
    const std::size_t outputs = PortRecording::words(recording.bits(Direction::kOutput));
    const auto row = recording.rows().begin() +
                     difference.cycle * static_cast<std::int64_t>(inputs + 2 * outputs);
    std::vector<std::uint32_t> found(outputs);
    std::vector<std::uint32_t> expected(outputs);
    for (std::size_t i = 0; i < outputs; ++i) {
        words >> found[i];
        const std::uint32_t compared = row[static_cast<std::int64_t>(inputs + outputs + i)];
        found[i] &= compared;
        expected[i] = row[static_cast<std::int64_t>(inputs + i)] & compared;
    }
    for (std::size_t port = 0; port < recording.ports().size(); ++port) {
        if (recording.ports()[port].direction == Direction::kOutput) {
            difference.expected = hexadecimal(expected, recording, port);
            difference.found = hexadecimal(found, recording, port);
            if (difference.expected != difference.found) {
                difference.port = recording.ports()[port].name;
                break;
            }
        }
    }
    return difference;
}

Comparison compare_source(const Twin& twin, const std::string& source,
                          const std::vector<PortRecording>& recordings,
                          const std::vector<Wire>& wires) {
    const fs::path program = program_of(twin, source, recordings.at(0));
    const testing::TestFolder folder(WEIR_TWINS_FOLDER);
    const std::int64_t cycles = recordings[0].cycles();
    const auto words = [&recordings](Direction direction) {
        return PortRecording::words(recordings[0].bits(direction));
    };
    std::ostringstream wire_text;
    for (const Wire& wire : wires) {
        const auto end = [&](const Wire::End& of) {
            wire_text << of.instance << " "
                      << recordings.at(of.instance).first_bit(of.port) + of.first_bit << " ";
        };
        end(wire.from);
        end(wire.to);
        wire_text << wire.bits << "\n";
    }
    write(folder.path() / "wires", wire_text.str());
    std::string command = quoted(program.string()) + " " + std::to_string(cycles) + " " +
                          std::to_string(words(Direction::kInput)) + " " +
                          std::to_string(words(Direction::kOutput)) + " " +
                          quoted((folder.path() / "wires").string());
    for (std::size_t i = 0; i < recordings.size(); ++i) {
        const std::vector<std::uint32_t>& rows = recordings[i].rows();
        const fs::path file = folder.path() / std::to_string(i);
        write(file, std::string(reinterpret_cast<const char*>(rows.data()),
                                rows.size() * sizeof(std::uint32_t)));
        command += " " + quoted(file.string());
    }
    std::istringstream result(text_of(command));
    Comparison comparison;
    comparison.cycles = cycles * static_cast<std::int64_t>(recordings.size());
    result >> comparison.differing;
    if (comparison.differing > 0) {
        comparison.first = difference_of(result, recordings);
    }
    return comparison;
}

// Parameters as arguments, after `option` and with `sign` between name and value.
std::string parameters_of(const Twin& twin, const std::string& option, const char* sign) {
    std::string text;
    for (const auto& [name, value] : twin.parameters) {
        text += " " + option + name + sign + std::to_string(value);
    }
    return text;
}

// Yosys takes no quoted paths.
std::string paths_of(const Twin& twin) {
    std::string text;
    for (const std::string& source : twin.sources) {
        text += " " + path_of(source).string();
    }
    return text;
}

// The option -chparam of yosys 0.23's hierarchy fails for a module with several parts.
std::string yosys_reads(const Twin& twin) {
    const std::string sizes = parameters_of(twin, "-set ", " ");
    return "read_verilog -sv" + paths_of(twin) + "; " +
           (sizes.empty() ? "" : "chparam" + sizes + " " + twin.module + "; ") +
           "hierarchy -check -top " + twin.module + "; proc; ";
}

Output yosys(const std::string& options, const std::string& commands) {
    return output_of("yosys " + options + " -p \"" + commands + "\"");
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Comparison& comparison) {
    out << comparison.differing << " of " << comparison.cycles << " cycles differ";
    if (comparison.first) {
        out << ", first cycle " << comparison.first->cycle << " of instance "
            << comparison.first->instance << ": " << comparison.first->port << " is "
            << comparison.first->found << " instead of " << comparison.first->expected;
    }
    return out;
}

Comparison compare(const Twin& twin, const std::vector<PortRecording>& recordings,
                   const std::vector<Wire>& wires) {
    return compare_source(twin, source_of(twin), recordings, wires);
}

Comparison compare(const Twin& twin, const std::vector<PortRecording>& recordings,
                   const Fault& fault, const std::vector<Wire>& wires) {
    return compare_source(twin, with_fault(source_of(twin), fault), recordings, wires);
}

std::string complaints(const Twin& twin) {
    const Output lint = output_of("verilator --lint-only -Wall --top-module " + twin.module +
                                  parameters_of(twin, "-G", "=") + paths_of(twin));
    if (lint.status != 0 || !lint.text.empty()) {
        return "verilator: " + lint.text;
    }
    if (!hw::testing::is_installed("yosys")) {
        return "";
    }
    const Output check = yosys("-q", yosys_reads(twin) +
                                         "select -assert-none t:\\$dlatch; "
                                         "check -assert");
    return check.status == 0 ? "" : "yosys: " + check.text;
}

void expect_equal(const Comparison& comparison, std::int64_t least_cycles) {
    EXPECT_EQ(comparison.differing, 0) << comparison;
    EXPECT_GE(comparison.cycles, least_cycles);
}

void expect_found(const Twin& twin, const std::vector<PortRecording>& recordings,
                  const std::vector<Fault>& faults, const std::vector<Wire>& wires) {
    for (const Fault& fault : faults) {
        EXPECT_GT(compare(twin, recordings, fault, wires).differing, 0) << fault.name;
    }
}

}  // namespace weir::hw::twin
