#include "experiments/running/prices/synthesis.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
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
// Links in yosys's folder to files of the user, whose names may have any character.
constexpr const char* kSources = "sources";
constexpr const char* kLibrary = "cells.lib";
constexpr const char* kNand2Module =
    "module nand2(input a, input b, output y);\n"
    "    assign y = ~(a & b);\n"
    "endmodule\n";
constexpr const char* kStatistics = "statistics.json";
constexpr const char* kLongestPath = "path.txt";
constexpr const char* kArea = "area.txt";

/// Commands that map a design to generic gates and plain flip-flops, and count them.
std::string generic_script(const hw::Twin& twin) {
    std::string script;
    for (const std::string& source : twin.sources) {
        script += fmt::format("read_verilog -sv {}\n", (fs::path(kSources) / source).string());
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

/// Commands that map the design on to a library's cells.
std::string library_script() {
    return fmt::format(
        "dfflibmap -liberty {0}\n"
        "abc -liberty {0}\n"
        "opt_clean\n"
        "tee -q -o {1} stat -liberty {0}\n",
        kLibrary, kArea);
}

/// Commands that map a NAND gate with two inputs.
std::string nand_script() {
    return fmt::format(
        "read_verilog nand2.v\n"
        "synth -noabc\n"
        "abc -liberty {0}\n"
        "tee -q -o {1} stat -liberty {0}\n",
        kLibrary, kArea);
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

[[noreturn]] void refuse_library(const fs::path& liberty, const std::string& found) {
    throw setup::UserFault({"--liberty " + liberty.string()}, found,
                           "a liberty file whose cells have areas, with a D flip-flop and a NAND "
                           "gate with two inputs");
}

/// Area of a mapped design.
double area_in(const fs::path& folder, const fs::path& liberty) {
    if (records::text_of_file(folder / kArea).find("is unknown!") != std::string::npos) {
        refuse_library(liberty, "a cell of it has no area");
    }
    return number_behind(folder / kArea, "':");
}

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

/// Temporary folder for a run of yosys.
class YosysFolder {
  public:
    explicit YosysFolder(const fs::path& liberty) {
        fs::create_symlink(data_folder(), path() / kSources);
        if (!liberty.empty()) {
            fs::create_symlink(fs::absolute(liberty), path() / kLibrary);
        }
        records::write_run_file(path() / "nand2.v", kNand2Module);
    }
    [[nodiscard]] const fs::path& path() const { return folder_.path(); }
    /// True if yosys ran the script to its end.
    [[nodiscard]] bool runs(const std::string& script) const {
        records::write_run_file(path() / "twin.ys", script);
        return run_tool({"env", "-C", path().string(), kYosysPackage, "-q", "-l", "yosys.txt",
                         "twin.ys"},
                        path() / "log.txt", kYosysPackage) == 0;
    }

  private:
    setup::TemporaryFolder folder_{"weir-price"};
};

/// Area of the library's NAND gate with two inputs.
double nand_area(const fs::path& liberty) {
    const YosysFolder folder(liberty);
    if (!folder.runs(nand_script())) {
        refuse_library(liberty, "yosys can't map a gate to its cells");
    }
    if (number_behind(folder.path() / kArea, "Number of cells:") != 1.0) {
        refuse_library(liberty, "it has no NAND gate with two inputs");
    }
    const double area = area_in(folder.path(), liberty);
    if (area <= 0.0) {
        refuse_library(liberty, "its NAND gate has no area");
    }
    return area;
}

SynthesizedPart run_yosys(const hw::Twin& twin, const fs::path& liberty) {
    const double nand = liberty.empty() ? 1.0 : nand_area(liberty);
    if (::isatty(STDERR_FILENO) != 0) {
        std::cerr << "weir: synthesizing the twin " << twin.module << "\n";
    }
    const YosysFolder folder(liberty);
    if (!folder.runs(generic_script(twin) + (liberty.empty() ? "" : library_script()))) {
        throw RunFailure(kBadInput, fmt::format("yosys can't synthesize the twin {}", twin.module));
    }
    SynthesizedPart counted = counted_cells(folder.path());
    if (!liberty.empty()) {
        counted.nand2_equivalents = area_in(folder.path(), liberty) / nand;
    }
    return counted;
}

/// Kept result; empty if there is none, or none that can be read.
std::optional<SynthesizedPart> kept_in(const fs::path& file) {
    try {
        const std::string text = records::text_of_file(file);
        if (!text.empty()) {
            return records::parse_json(text).get<SynthesizedPart>();
        }
    } catch (const nlohmann::json::exception&) {
        // A damaged file is made again.
    }
    return std::nullopt;
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
    FactDigest facts;
    facts.add(version);
    facts.add(generic_script(twin));
    for (const std::string& source : twin.sources) {
        facts.add(file_digest(data_folder() / source));
    }
    for (const Gate& gate : kGates) {
        facts.add(fmt::format("{} {}", gate.cell, gate.area));
    }
    if (!liberty.empty()) {
        if (!fs::is_regular_file(liberty)) {
            refuse_library(liberty, "there is no such file");
        }
        facts.add(library_script());
        facts.add(file_digest(liberty));
    }
    const fs::path cache = cache_folder("prices", "prices of parts are kept in a folder there");
    const fs::path file = cache / (facts.hex() + ".json");
    if (const auto kept = kept_in(file)) {
        return *kept;
    }
    const SynthesizedPart counted = run_yosys(twin, liberty);
    std::error_code error;
    fs::create_directories(cache, error);
    if (error) {
        throw setup::SurroundingsFault("the folder " + cache.string() + " can't be made",
                                       error.message());
    }
    records::write_run_file(file, nlohmann::ordered_json(counted).dump() + "\n");
    return counted;
}

}  // namespace weir::experiments::running
