#include "experiments/random_machines/machine_draw.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "experiments/kinds/kernel/kernel_kind.h"
#include "experiments/random_machines/value_draw.h"
#include "experiments/setup/user_fault.h"
#include "firmware/kernels/registry.h"
#include "firmware/sparcle/compiled_kernel.h"
#include "hw/random_stream.h"
#include "nodes/programming/plain_memory.h"
#include "nodes/programming/processor.h"

namespace weir::experiments::random_machines {

namespace {

// Limits of a run, so that it takes a fraction of a second: cycles, and nodes times cycles. Nodes
// with compiled programs are busy in every cycle. No program pauses for as long as the watchdog
// waits.
constexpr std::int64_t kLastCycle = 200'000;
constexpr std::int64_t kNodeCycles = 3'000'000;
constexpr std::int64_t kBusyNodeCycles = 1'000'000;
constexpr std::int64_t kWatchdogCycles = 100'000;
// Least length with shared memory, enough to find a starved thread by the least limit. Machines
// with more nodes would take too long.
constexpr std::int64_t kStarvedBy = 130'000;
constexpr std::int64_t kMostStarvingNodes = 16;

std::int64_t last_cycle(const Settings& settings) {
    const Setting* nodes = find(settings, "machine.nodes");
    const std::int64_t count = nodes != nullptr ? std::get<std::int64_t>(nodes->value)
                                                : nodes::MachineParameters().nodes.value();
    const bool is_busy = find(settings, kCoreKey)->value == hw::ParameterValue("sparcle");
    const std::int64_t last =
        std::min(kLastCycle, (is_busy ? kBusyNodeCycles : kNodeCycles) / count);
    const bool may_starve = find(settings, kStarvationKey) != nullptr;
    return may_starve && count <= kMostStarvingNodes ? std::max(last, kStarvedBy) : last;
}

// Prepares the program's data; throws if the set-up refuses them.
void prepare_data(kinds::Setup& setup) {
    nodes::MachineShape shape = nodes::shape_of(setup.machine);
    nodes::PlainMemory memory(shape.node_count(), shape.memory_bytes, shape.shared_bytes);
    shape.memory_bytes = setup.memory_for_data();
    kinds::KernelKind& kind = kinds::kernel_kind(setup);
    if (firmware::CompiledKernel* compiled = kind.compiled_kernel()) {
        compiled->configure(setup.machine.core.receive_mode.value(),
                            setup.machine.sparcle.floating_point_unit.value(),
                            setup.machine.controller.overflow_trap.value(), setup.firmware);
    }
    kind.kernel().prepare(shape, 1, memory);
}

// One draw: repeated until the set-up accepts it or one key has been refused too often.
class MachineDraw {
  public:
    MachineDraw(hw::RandomStream& stream, const std::filesystem::path& folder, Refusals& refusals)
        : stream_(stream),
          folder_(folder),
          refusals_(refusals),
          open_(drawn_program(), folder),
          given_share_(stream.unit()) {}

    [[nodiscard]] std::optional<Settings> accepted() {
        give_values();
        std::map<std::string, int> refused;
        while (true) {
            const Settings settings = open_.settings();
            const std::optional<std::string> key = refused_key(settings);
            if (!key) {
                return settings;
            }
            ++refusals_[*key];
            constexpr int kMostOfAKey = 20;
            constexpr int kDefaultAfter = 10;
            const OpenSetup::Place* place = open_.find(*key);
            const int times = ++refused[*key];
            if (place == nullptr || !is_drawn(*place) || times > kMostOfAKey) {
                return std::nullopt;
            }
            if (times == kDefaultAfter) {
                static_cast<void>(place->parameter->set(place->parameter->default_as_variant()));
            } else {
                give(*place);
            }
            give_values();  // values of parameters that now have an effect
        }
    }

  private:
    // Draws from all programs; a program for both kinds of core has two chances.
    Settings drawn_program() {
        std::vector<std::pair<std::string, std::string>> programs;
        for (const firmware::KernelEntry& entry : firmware::kernels()) {
            programs.emplace_back(entry.name, "behavioural");
        }
        for (const firmware::CompiledKernelEntry& entry : firmware::compiled_kernels()) {
            programs.emplace_back(entry.name, "sparcle");
        }
        const auto& [program, core] = programs[stream_.below(programs.size())];
        return {{kProgramKey, program}, {kCoreKey, core}};
    }

    void give(const OpenSetup::Place& place) {
        for (int i = 0; i < kMostTries; ++i) {
            if (place.parameter->set(draw_value(place, stream_)) && is_small()) {
                return;
            }
        }
        static_cast<void>(place.parameter->set(place.parameter->default_as_variant()));
    }

    [[nodiscard]] bool is_small() const {
        return open_.setup().machine.network.node_count() <= kMostNodes;
    }

    // Draws values repeatedly, since one value may give other parameters an effect.
    void give_values() {
        bool is_new = true;
        while (is_new) {
            is_new = false;
            for (const OpenSetup::Place& place : open_.places()) {
                std::string key = place.key();
                if (!decided_.contains(key) && is_drawn(place) && open_.has_effect(place)) {
                    decided_.insert(std::move(key));
                    is_new = true;
                    const bool is_name =
                        place.parameter->accepted_values().type == hw::AcceptedValues::Type::kName;
                    const double share =
                        is_name ? std::max(given_share_, kShareOfNames) : given_share_;
                    if (is_always_drawn(place) || stream_.unit() < share) {
                        give(place);
                    }
                }
            }
        }
        const OpenSetup::Place* limit = open_.find(kStarvationKey);
        if (limit != nullptr && open_.has_effect(*limit)) {
            static_cast<void>(limit->parameter->set(std::int64_t{1}));
        }
        open_.tidy();
    }

    /// Key of a refused setting. nullopt if the set-up accepts all settings, an empty key if no
    /// single setting is the cause.
    [[nodiscard]] std::optional<std::string> refused_key(const Settings& settings) const {
        try {
            const auto setup =
                kinds::make_setup(experiment_of(settings, folder_), setup::SelectedRun(0));
            prepare_data(*setup);
            return std::nullopt;
        } catch (const setup::UserFault& fault) {
            const std::optional<std::string> key = key_at_fault(settings, fault);
            return key ? key : key_of_default();
        } catch (const firmware::InputFault& fault) {
            return fault.fault().key;
        } catch (const nodes::ProgramFault&) {
            return "memory.bytes";
        } catch (const std::exception& fault) {
            throw RudeRefusal(settings, fault.what());
        }
    }

    /// Key of a default that conflicts with the given settings; empty if no single key is the
    /// cause.
    [[nodiscard]] std::string key_of_default() const {
        const Settings spelled_out = open_.settings_of([this](const OpenSetup::Place& place) {
            return place.parameter->is_given() || (is_drawn(place) && open_.has_effect(place));
        });
        try {
            static_cast<void>(
                kinds::make_setup(experiment_of(spelled_out, folder_), setup::SelectedRun(0)));
        } catch (const setup::UserFault& fault) {
            return key_at_fault(spelled_out, fault).value_or("");
        }
        return "";
    }

    static constexpr int kMostTries = 100;
    static constexpr double kShareOfNames = 0.6;  // at least, for parameters with named values

    hw::RandomStream& stream_;
    const std::filesystem::path& folder_;
    Refusals& refusals_;
    OpenSetup open_;
    double given_share_;
    std::set<std::string> decided_;
};

}  // namespace

Settings draw_machine(const DrawNumber& which, const std::filesystem::path& folder,
                      Refusals& refusals) {
    hw::RandomStream stream(which.seed, hw::NodeId(0),
                            fmt::format("machine {} {}", which.number, which.attempt));
    while (true) {
        if (std::optional<Settings> settings = MachineDraw(stream, folder, refusals).accepted()) {
            constexpr std::uint64_t kSeeds = 1000;
            const auto seed = static_cast<std::int64_t>(stream.below(kSeeds));
            settings->push_back({"run.seeds", std::vector<std::int64_t>{seed}});
            settings->push_back({kEndKey, last_cycle(*settings)});
            settings->push_back({kWatchdogKey, kWatchdogCycles});
            return *settings;
        }
    }
}

}  // namespace weir::experiments::random_machines
