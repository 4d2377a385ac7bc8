#include "experiments/programs/runtime_objects.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

#include "experiments/programs/cross_compiler.h"
#include "experiments/records/run_file.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/running/processes/run_tool.h"
#include "experiments/running/sweeps/database/fact_digest.h"
#include "experiments/setup/user_fault.h"
#include "hw/text_streams.h"

namespace weir::experiments::programs {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kDigits = 16;
constexpr const char* kInputs = "inputs";  // file with the paths of all sources and headers

// Names of the objects, in the order of the sources.
std::vector<std::string> objects_in(const fs::path& folder, std::size_t count) {
    std::vector<std::string> objects;
    for (std::size_t i = 0; i < count; ++i) {
        objects.push_back((folder / fmt::format("{}.o", i)).string());
    }
    return objects;
}

// Digest of the contents of the files that `list` names; empty if one is missing.
std::string content_digest(const fs::path& list) {
    running::FactDigest facts;
    hw::FileReader lines(list);
    bool has_lines = false;
    for (std::string path; std::getline(lines, path);) {
        std::error_code unknown;
        if (!fs::is_regular_file(path, unknown)) {
            return {};
        }
        facts.add(path);
        facts.add(running::file_digest(path));
        has_lines = true;
    }
    return has_lines ? facts.hex().substr(0, kDigits) : "";
}

// Files that a rule of make, as the compiler writes it, depends on.
void add_inputs(const fs::path& rule, std::set<std::string>& inputs) {
    hw::TextReader words(records::text_of_file(rule));
    for (std::string word; words >> word;) {
        if (word != "\\" && !word.ends_with(':')) {
            inputs.insert(fs::absolute(word).lexically_normal().string());
        }
    }
}

void compile_into(const RuntimeRequest& request, const fs::path& folder) {
    std::set<std::string> inputs;
    const std::vector<std::string> objects = objects_in(folder, request.sources.size());
    for (std::size_t i = 0; i < request.sources.size(); ++i) {
        const std::string rule = objects[i] + ".d";
        std::vector<std::string> words{request.compiler};
        words.insert(words.end(), request.flags.begin(), request.flags.end());
        words.insert(words.end(),
                     {"-MD", "-MF", rule, "-c", "-o", objects[i], request.sources[i].string()});
        if (running::run_tool(std::move(words), {}, kCompilerPackage) != 0) {
            throw running::RunFailure(
                running::kBadInput,
                "the compiler has refused a file of the runtime, " + request.sources[i].string());
        }
        add_inputs(rule, inputs);
        fs::remove(rule);
    }
    std::string list;
    for (const std::string& input : inputs) {
        list += input + "\n";
    }
    records::write_run_file(folder / kInputs, list);
}

}  // namespace

std::vector<std::string> runtime_objects(const RuntimeRequest& request, const fs::path& unkept) {
    running::FactDigest facts;
    facts.add(request.compiler);
    facts.add(request.compiler_version);
    std::for_each(request.flags.begin(), request.flags.end(),
                  [&](const std::string& flag) { facts.add(flag); });
    std::for_each(request.sources.begin(), request.sources.end(),
                  [&](const fs::path& source) { facts.add(source.string()); });
    const std::string key = facts.hex().substr(0, kDigits);

    // Cached objects are in KEY/CONTENT. KEY/inputs, from the last build, names the files whose
    // contents make up CONTENT.
    fs::path cache;
    std::error_code refused;
    try {
        cache = running::cache_folder("weir-runtime", "the runtime is kept there") / key;
        fs::create_directories(cache, refused);
    } catch (const setup::UserFault&) {
        refused = std::make_error_code(std::errc::no_such_file_or_directory);
    }
    if (refused || ::access(cache.c_str(), W_OK) != 0) {
        compile_into(request, unkept);
        return objects_in(unkept, request.sources.size());
    }
    if (const std::string content = content_digest(cache / kInputs);
        !content.empty() && fs::is_directory(cache / content)) {
        return objects_in(cache / content, request.sources.size());
    }

    // Processes that compile the same objects at a time each have their own folder.
    const fs::path own = cache / fmt::format("process-{}", ::getpid());
    fs::remove_all(own);
    fs::create_directories(own);
    try {
        compile_into(request, own);
    } catch (...) {
        fs::remove_all(own, refused);
        throw;
    }
    const fs::path objects = cache / content_digest(own / kInputs);
    const fs::path list = cache / fmt::format("inputs-{}", ::getpid());
    fs::copy_file(own / kInputs, list, fs::copy_options::overwrite_existing);
    fs::rename(own, objects, refused);
    if (refused) {  // another process has compiled them
        fs::remove_all(own);
    }
    fs::rename(list, cache / kInputs);
    return objects_in(objects, request.sources.size());
}

}  // namespace weir::experiments::programs
