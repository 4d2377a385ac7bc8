#include "experiments/running/prices/synthesis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "experiments/records/json_fields.h"
#include "experiments/records/json_input.h"
#include "experiments/records/run_file.h"
#include "experiments/running/processes/data_folder.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/running/processes/run_tool.h"
#include "experiments/running/sweeps/database/fact_digest.h"
#include "experiments/setup/files/temporary_folder.h"
#include "experiments/setup/surroundings_fault.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::running {

namespace fs = std::filesystem;

WEIR_JSON_FIELDS(SynthesizedPart, nand2_equivalents, gates, flip_flops, longest_path_levels)

namespace {

/// Generic gate of yosys with its area in square micrometres. This is the area of the smallest cell
/// with the same function in the NanGate 45 nm Open Cell Library. NAND2_X1 has 0.798 um2.
struct Gate {
    std::string_view cell;
    double area;
};
constexpr double kNand2 = 0.798;
constexpr std::string_view kFlipFlop = "$_DFF_P_";
constexpr std::array kGates{
    Gate{"$_NOT_", 0.532},                           // INV_X1
    Gate{"$_NAND_", kNand2}, Gate{"$_NOR_", 0.798},  // NOR2_X1
    Gate{"$_XOR_", 1.596},                           // XOR2_X1
    Gate{"$_XNOR_", 1.596},                          // XNOR2_X1
    Gate{"$_MUX_", 1.862},                           // MUX2_X1
    Gate{"$_AOI3_", 1.064},                          // AOI21_X1
    Gate{"$_OAI3_", 1.064},                          // OAI21_X1
    Gate{"$_AOI4_", 1.330},                          // AOI22_X1
    Gate{"$_OAI4_", 1.330},                          // OAI22_X1
    Gate{kFlipFlop, 4.522},                          // DFF_X1
};

constexpr const char* kYosysPackage = "yosys";
constexpr const char* kStatistics = "statistics.json";
constexpr const char* kLongestPath = "path.txt";
constexpr const char* kArea = "area.txt";
constexpr const char* kNandArea = "nand.txt";

/// yosys's double-quoted form of a file name.
std::string quoted(const fs::path& path) { return "\"" + path.string() + "\""; }

/// Commands that map a design to generic gates and plain flip-flops, and count them.
std::string generic_script(const hw::Twin& twin, const fs::path& sources) {
    std::string script;
    for (const std::string& source : twin.sources) {
        script += fmt::format("read_verilog -sv {}\n", quoted(sources / source));
    }
    // The option -chparam of yosys 0.23's hierarchy fails for a module with several parts.
    for (const auto& [name, value] : twin.parameters) {
        script += fmt::format("chparam -set {} {} {}\n", name, value, twin.module);
    }
    script += fmt::format(
        "hierarchy -check -top {}\n"
        "synth -flatten -noabc\n"
        "check -assert\n"
        "dfflegalize -cell {} x\n"
        "abc -g NAND,NOR,XOR,XNOR,MUX,AOI3,OAI3,AOI4,OAI4\n"
        "opt_clean\n"
        "tee -q -o {} stat -json\n"
        "tee -q -o {} ltp -noff\n",
        twin.module, kFlipFlop, kStatistics, kLongestPath);
    return script;
}

/// Commands that map the design on to a library's cells, and then a single NAND gate.
std::string library_script(const fs::path& liberty) {
    const std::string file = quoted(fs::absolute(liberty));
    return fmt::format(
        "dfflibmap -liberty {0}\n"
        "abc -liberty {0}\n"
        "opt_clean\n"
        "tee -q -o {1} stat -liberty {0}\n"
        "design -reset\n"
        "read_verilog nand2.v\n"
        "synth -noabc\n"
        "abc -liberty {0}\n"
        "tee -q -o {2} stat -liberty {0}\n",
        file, kArea, kNandArea);
}

/// Number behind the last occurrence of `words` in a file of yosys.
double number_behind(const fs::path& file, std::string_view words) {
    const std::string text = records::text_of_file(file);
    const std::size_t at = text.rfind(words);
    if (at == std::string::npos) {
        throw RunFailure(kBadInput, fmt::format("yosys: {} has no line \"{}\"",
                                                file.filename().string(), words));
    }
    return std::strtod(text.c_str() + at + words.size(), nullptr);
}

double area_of(const fs::path& file) { return number_behind(file.string(), "':"); }

SynthesizedPart counted_cells(const fs::path& folder) {
    SynthesizedPart counted;
    const nlohmann::ordered_json statistics =
        records::parse_json(records::text_of_file(folder / kStatistics));
    double area = 0.0;
    for (const auto& [cell, count] : statistics.at("design").at("num_cells_by_type").items()) {
        const auto* const gate =
            std::find_if(kGates.begin(), kGates.end(),
                         [&cell = cell](const Gate& each) { return each.cell == cell; });
        if (gate == kGates.end()) {
            throw RunFailure(kBadInput,
                             "yosys: the twin has a cell " + cell + ", which has no area");
        }
        const auto cells = count.get<std::int64_t>();
        area += gate->area * static_cast<double>(cells);
        (cell == kFlipFlop ? counted.flip_flops : counted.gates) += cells;
    }
    counted.nand2_equivalents = area / kNand2;
    counted.longest_path_levels =
        static_cast<std::int64_t>(number_behind(folder / kLongestPath, "(length="));
    return counted;
}

/// Runs yosys on the part in a temporary folder.
SynthesizedPart run_yosys(const std::string& script, const std::string& library,
                          const hw::Twin& twin) {
    const setup::TemporaryFolder folder("weir-price");
    const fs::path& path = folder.path();
    records::write_run_file(path / "twin.ys", script + library);
    records::write_run_file(path / "nand2.v",
                            "module nand2(input a, input b, output y);\n"
                            "    assign y = ~(a & b);\n"
                            "endmodule\n");
    const fs::path log = path / "log.txt";
    const int status =
        run_tool({"env", "-C", path.string(), kYosysPackage, "-q", "-l", "yosys.txt", "twin.ys"},
                 log, kYosysPackage);
    if (status != 0) {
        throw RunFailure(kBadInput, fmt::format("yosys can't synthesize the twin {}", twin.module));
    }
    SynthesizedPart counted = counted_cells(path);
    if (!library.empty()) {
        counted.nand2_equivalents = area_of(path / kArea) / area_of(path / kNandArea);
    }
    return counted;
}

std::string yosys_version() {
    const setup::TemporaryFolder folder("weir-price");
    const fs::path version = folder.path() / "version";
    static_cast<void>(run_tool({kYosysPackage, "-V"}, version, kYosysPackage));
    return records::text_of_file(version);
}

}  // namespace

SynthesizedPart synthesize(const hw::Twin& twin, const fs::path& liberty) {
    static const std::string version = yosys_version();
    const fs::path sources = data_folder();
    const std::string script = generic_script(twin, sources);
    const std::string library = liberty.empty() ? "" : library_script(liberty);
    FactDigest facts;
    facts.add(version);
    // The script without the folder of the sources, which may be moved.
    facts.add(generic_script(twin, {}));
    for (const std::string& source : twin.sources) {
        facts.add(file_digest(sources / source));
    }
    for (const Gate& gate : kGates) {
        facts.add(fmt::format("{} {}", gate.cell, gate.area));
    }
    if (!liberty.empty()) {
        facts.add(file_digest(liberty));
    }
    const fs::path cache = cache_folder("prices", "prices of parts are kept in a folder there");
    const fs::path kept = cache / (facts.hex() + ".json");
    const std::string text = records::text_of_file(kept);
    if (!text.empty()) {
        return records::parse_json(text).get<SynthesizedPart>();
    }
    const SynthesizedPart counted = run_yosys(script, library, twin);
    std::error_code error;
    fs::create_directories(cache, error);
    if (error) {
        throw setup::SurroundingsFault("the folder " + cache.string() + " can't be made",
                                       error.message());
    }
    records::write_run_file(kept, nlohmann::ordered_json(counted).dump() + "\n");
    return counted;
}

}  // namespace weir::experiments::running
