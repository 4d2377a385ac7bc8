#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "experiments/kinds/kernel/described_kernel.h"
#include "experiments/kinds/kernel/kernel_kind.h"
#include "experiments/kinds/kernel/kernel_library.h"
#include "experiments/kinds/machine_size.h"
#include "experiments/setup/files/permissions.h"
#include "experiments/setup/parameters/parameter_assignment.h"
#include "experiments/setup/user_fault.h"
#include "firmware/kernels/registry.h"
#include "firmware/sparcle/compiled_kernel.h"
#include "hw/controller/controller_registers.h"

/// Setup of a kernel's run: the names of kernels, and checks that machine and kernel fit.
namespace weir::experiments::kinds {

namespace {

// Refuses messages with bodies on a machine without DMA engines; only a machine with routers has
// them.
void refuse_bodies_without_engines(const setup::ExperimentFile& file, setup::SelectedRun run,
                                   const Setup& setup, const firmware::Kernel& kernel) {
    const bool has_engines =
        setup.machine.network.model.value() == network::NetworkModel::kWormhole;
    if (kernel.sends_bodies() && !has_engines) {
        throw file.fault_at("network.model", run,
                            "the messages of this kernel (\"" + setup.kernel_name +
                                "\") have bodies, which need DMA engines",
                            R"(network.model = "wormhole", or messages without a body)");
    }
}

void refuse_barriers_without_one(const setup::ExperimentFile& file, setup::SelectedRun run,
                                 const Setup& setup, const firmware::Kernel& kernel) {
    if (kernel.needs_barrier() && !setup.machine.network.barrier.value()) {
        throw file.fault_at("workload.barrier_messages", run,
                            "the nodes of this kernel (\"" + setup.kernel_name +
                                "\") use the hardware barrier, which this machine does not have",
                            "network.barrier = true, or a kernel without barriers");
    }
}

void refuse_fetches_without_homes_for_them(const setup::ExperimentFile& file,
                                           setup::SelectedRun run, const Setup& setup,
                                           const firmware::Kernel& kernel) {
    if (kernel.fetches_at_homes() && !setup.machine.coherence.fetch_and_op.value()) {
        throw file.fault_at(
            "coherence.fetch_and_op", run,
            "this kernel (\"" + setup.kernel_name +
                "\") uses fetch-and-op at a word's home, which this machine does not have",
            "coherence.fetch_and_op = true, or a workload without fetch-and-op");
    }
}

// Each context runs one thread; a thread that waits switches to the next context.
void refuse_other_contexts(const setup::ExperimentFile& file, setup::SelectedRun run,
                           const Setup& setup, const firmware::Kernel& kernel, bool has_threads) {
    const std::int64_t contexts = setup.machine.core.contexts.value();
    const std::int64_t threads = kernel.threads_per_node();
    if (threads == contexts) {
        return;
    }
    throw file.fault_at(
        "core.contexts", run,
        (threads > contexts ? "more threads than contexts: " : "more contexts than threads: ") +
            std::string("core.contexts is ") + std::to_string(contexts) + ", and a node runs " +
            std::to_string(threads) + " of this kernel's (\"" + setup.kernel_name + "\") threads",
        "core.contexts = " + std::to_string(threads) +
            (has_threads ? ", or workload.threads = " + std::to_string(contexts) : ""));
}

// Refuses DMA bursts that never fit. A burst waits until the queue has room, or bytes, for the
// whole burst. The queue may also hold a part of a flit that waits for the rest of the flit. Words
// and bursts are multiples of a word, but the first flit also has the tag.
void refuse_bursts_beyond_queues(const setup::ExperimentFile& file, setup::SelectedRun run,
                                 const Setup& setup, const firmware::Kernel& kernel) {
    const hw::ControllerParameters& controller = setup.machine.controller;
    const hw::Bytes burst = setup.machine.dma.burst_bytes.value();
    const hw::Bytes queue =
        std::min(controller.output_queue_bytes.value(), controller.input_queue_bytes.value());
    const std::int64_t flit = setup.machine.network.flit_bytes.value().count();
    const std::int64_t tag = setup.machine.network.tag_bytes.value().count();
    const std::int64_t step = std::gcd(std::gcd(flit, std::int64_t{WEIR_WORD_BYTES}), tag);
    const bool is_first = flit + tag > WEIR_HEADER_BYTES;  // the incomplete flit is the first one
    const hw::Bytes part_of_flit(flit - step + (is_first ? tag : 0));
    if (!kernel.sends_bodies() || burst + part_of_flit <= queue) {
        return;
    }
    const std::string found = "dma.burst_bytes is " + std::to_string(burst.count()) +
                              ", for which a queue of " + std::to_string(queue.count()) +
                              " bytes never has room";
    if (burst > queue) {
        throw file.fault_at("dma.burst_bytes", run, found,
                            "at most controller.output_queue_bytes and .input_queue_bytes");
    }
    throw file.fault_at("dma.burst_bytes", run,
                        found + " beside up to " + std::to_string(part_of_flit.count()) +
                            " bytes of an incomplete flit",
                        "at most " + std::to_string((queue - part_of_flit).count()) +
                            ", or larger controller.output_queue_bytes and .input_queue_bytes");
}

bool is_compiled(const setup::ExperimentFile& file, setup::SelectedRun run) {
    return file.string_of("core", "kind", run) == "sparcle";
}

constexpr const char* kLibrary = "workload.library";

// File of the kernel library that the run names; a run of a compiled kernel has none.
std::optional<std::string> library_file(const setup::ExperimentFile& file, setup::SelectedRun run) {
    const std::optional<std::string> library = file.string_of("workload", "library", run);
    return library && !library->empty() && !is_compiled(file, run) ? library : std::nullopt;
}

// Library that the run names; null if its kernels are Weir's own.
const KernelLibrary* library_of(const setup::ExperimentFile& file, setup::SelectedRun run) {
    const std::optional<std::string> library = library_file(file, run);
    if (!library) {
        return nullptr;
    }
    const setup::Place place = file.place_of(kLibrary, run);
    return &KernelLibrary::of(setup::path_given_at(place, *library), place);
}

}  // namespace

std::unique_ptr<firmware::Kernel> named_kernel(const setup::ExperimentFile& file,
                                               setup::SelectedRun run) {
    const std::string name = file.workload_kernel(run).name;
    if (is_compiled(file, run)) {
        return firmware::make_compiled_kernel(name);
    }
    const KernelLibrary* const library = library_of(file, run);
    return library != nullptr ? library->describe(name) : firmware::make_kernel(name);
}

bool has_users_program(const setup::ExperimentFile& file, setup::SelectedRun run) {
    return is_compiled(file, run) || library_file(file, run);
}

std::unique_ptr<Kind> make_kernel_kind(const setup::ExperimentFile& file, setup::SelectedRun run) {
    std::unique_ptr<firmware::Kernel> kernel = named_kernel(file, run);
    if (!kernel) {
        return nullptr;
    }
    auto kind = std::make_unique<KernelKind>(std::move(kernel),
                                             analyses::analysis_of(file.workload_kernel(run).name));
    if (const KernelLibrary* const library = library_of(file, run)) {
        kind->add_library(*library);
    }
    return kind;
}

std::vector<ListedKind> listed_kernels() {
    std::vector<ListedKind> all;
    for (const firmware::KernelEntry& entry : firmware::kernels()) {
        all.push_back({entry.name, std::make_unique<KernelKind>(
                                       entry.make(), analyses::analysis_of(entry.name))});
    }
    for (const firmware::CompiledKernelEntry& entry : firmware::compiled_kernels()) {
        // Only compiled kernels without a behavioural kernel of the same name, whose entry lists
        // both.
        if (firmware::make_kernel(entry.name) == nullptr) {
            all.push_back({entry.name, std::make_unique<KernelKind>(
                                           entry.make(), analyses::analysis_of(entry.name))});
        }
    }
    return all;
}

setup::UserFault unknown_workload(const setup::ExperimentFile& file, setup::SelectedRun run) {
    std::vector<std::string> names;
    const bool compiled = is_compiled(file, run);
    if (compiled) {
        for (const firmware::CompiledKernelEntry& entry : firmware::compiled_kernels()) {
            names.push_back(entry.name);
        }
    } else if (const KernelLibrary* const library = library_of(file, run)) {
        names = library->names();
    } else {
        for (const firmware::KernelEntry& entry : firmware::kernels()) {
            names.push_back(entry.name);
        }
        for (const NamedWorkload& other : workloads_without_kernel()) {
            names.push_back(other.name);
        }
    }
    const setup::NameInFile kernel = file.workload_kernel(run);
    return setup::unknown_name(kernel.place, compiled ? "compiled kernel" : "kernel", kernel.name,
                               names);
}

std::vector<hw::ParameterGroup*> KernelKind::groups(Setup& setup) {
    std::vector<hw::ParameterGroup*> groups = setup.machine.groups();
    groups.insert(groups.end(), {&setup.firmware, &setup.firmware.limitless, &kernel_->parameters(),
                                 &setup.run, &setup.trace});
    if (library_parameters_) {
        groups.push_back(&*library_parameters_);
    }
    return groups;
}

void KernelKind::set_up(const setup::ExperimentFile& file, setup::SelectedRun run, Setup& setup) {
    file.apply(run, groups(setup));
    setup.machine.shares_memory = kernel_->shares_memory();
    setup.firmware.has_overflow_trap = setup.machine.controller.overflow_trap.value();
    settle_size(file, run, setup.machine);
    if (const auto fault = setup.machine.check()) {
        throw file.fault_at(*fault, run);
    }
    refuse_what_does_not_fit(file, run, setup);
    input_sources_.clear();
    for (const setup::ModelInput& input : file.model_inputs(run, model_inputs())) {
        input_sources_.push_back(input.source);
    }
    if (firmware::CompiledKernel* compiled = compiled_kernel()) {
        compiled->set_experiment_folder(
            std::filesystem::path(file.place_of("", run).source).parent_path());
    }
}

bool KernelKind::has_known_properties() const {
    const auto* const described = dynamic_cast<const DescribedKernel*>(kernel_.get());
    return described == nullptr || described->has_known_properties();
}

std::vector<Want> KernelKind::wants(const setup::ExperimentFile& file, setup::SelectedRun run) {
    std::vector<Want> wants;
    if (library_ != nullptr && !file.permissions().allows_library(library_->path()) &&
        !library_->is_own()) {
        wants.push_back({file.place_of(kLibrary, run), kLibrary, "runs the code of",
                         library_->path(), setup::kAllowLibrary});
    }
    const auto access =
        compiled_kernel() != nullptr ? compiled_kernel()->host_access() : std::nullopt;
    if (!access) {
        return wants;
    }
    const std::filesystem::path own =
        std::filesystem::path(file.place_of("", run).source).parent_path();
    for (const auto& [key, path] :
         {std::pair("workload.files", access->folder), {"workload.stdin", access->input}}) {
        const setup::Place place = file.place_of(key, run);
        const bool is_users = place.line == 0 && file.permissions().has_only_users_settings;
        if (!is_users && !path.empty() && !setup::is_inside(path, own) &&
            !file.permissions().allows_reading(path)) {
            wants.push_back({place, key, "reads", setup::resolved(path), setup::kAllowFolder});
        }
    }
    return wants;
}

void KernelKind::load_code(const setup::ExperimentFile& file, setup::SelectedRun run,
                           Setup& setup) {
    if (library_ == nullptr) {
        return;
    }
    kernel_ = library_->load(setup.kernel_name, file.place_of(kLibrary, run));
    set_up(file, run, setup);
}

void KernelKind::refuse_what_does_not_fit(const setup::ExperimentFile& file, setup::SelectedRun run,
                                          Setup& setup) {
    if (has_known_properties()) {
        refuse_bodies_without_engines(file, run, setup, *kernel_);
        refuse_barriers_without_one(file, run, setup, *kernel_);
        refuse_fetches_without_homes_for_them(file, run, setup, *kernel_);
        refuse_other_contexts(file, run, setup, *kernel_,
                              kernel_->parameters().find("threads") != nullptr);
        refuse_keys_without_effect(file, run, setup);
    }
    if (setup.memory_for_data() <= hw::Bytes(0)) {
        throw file.fault_at("firmware.overflow_buffer_bytes", run,
                            "firmware.overflow_buffer_bytes leaves nothing of memory.bytes = " +
                                std::to_string(setup.machine.memory.bytes.value().count()),
                            "less than memory.bytes");
    }
    if (has_known_properties()) {
        refuse_bursts_beyond_queues(file, run, setup, *kernel_);
    }
}

std::vector<hw::Fact> KernelKind::facts() {
    std::vector<hw::Fact> facts = Kind::facts();
    facts.push_back(hw::Fact::kKernel);
    if (kernel_->sends_bodies()) {
        facts.push_back(hw::Fact::kMessageBodies);
    }
    if (kernel_->shares_memory()) {
        facts.push_back(hw::Fact::kSharedMemory);
    }
    return facts;
}

std::optional<firmware::NodeLoads> KernelKind::node_loads(const Setup& setup,
                                                          std::uint64_t seed) const {
    return kernel_->described().node_loads(nodes::shape_of(setup.machine), seed);
}

std::int64_t KernelKind::warmup_cycles(const Setup& setup) const {
    return setup.run.warmup_cycles.value().count();
}

std::int64_t KernelKind::node_memory_bytes(const Setup& setup) const {
    return setup.machine.memory.bytes.value().count();
}

KernelKind* find_kernel_kind(const Setup& setup) {
    return dynamic_cast<KernelKind*>(setup.kind.get());
}

KernelKind& kernel_kind(Setup& setup) { return dynamic_cast<KernelKind&>(*setup.kind); }

}  // namespace weir::experiments::kinds
