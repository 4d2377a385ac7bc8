#include "experiments/running/processes/simulation_job.h"

#include <new>
#include <systemc>

#include "experiments/kinds/kernel/kernel_kind.h"
#include "experiments/records/result.h"
#include "experiments/records/run_file.h"
#include "experiments/running/precision/precise_run.h"
#include "experiments/running/processes/exit_status.h"
#include "experiments/running/processes/named_files.h"
#include "experiments/running/processes/wanted_access.h"
#include "experiments/setup/surroundings_fault.h"
#include "experiments/setup/user_fault.h"
#include "experiments/trace/log/log_format.h"
#include "firmware/kernel.h"
#include "firmware/sparcle/compiled_kernel.h"
#include "nodes/programming/processor.h"

namespace weir::experiments::running {

namespace fs = std::filesystem;

namespace {

// SystemC's report about an exception of a foreign class, thrown out of its scheduler.
constexpr int kUncaught = 549;

constexpr const char* kOwnFault = "this is a fault of Weir's: ";
constexpr const char* kOwnFailure = "fault of Weir's";

int exit_status(const records::SimulationResult& result, const SimulationJob& job) {
    switch (result.end) {
        case nodes::RunEnd::kCycleLimit:
            return job.stops_at_limit ? kSuccess : kDeadlock;
        case nodes::RunEnd::kFinished:
            return result.wrong_answer ? kWrongAnswer : kSuccess;
        case nodes::RunEnd::kInterrupted:
            return kInterrupted;
        default:
            return kDeadlock;
    }
}

// Writes the result of a run that threw, so that its folder says how it ended. If it cannot be
// written, the exception itself is still reported.
void note_failure(const SimulationJob& job, const std::string& how, int status,
                  const std::string& message) {
    records::SimulationResult result;
    result.end = nodes::RunEnd::kInterrupted;
    result.seed = job.seed;
    result.failure = how;
    result.exit_status = status;
    result.explanation = message;
    try {
        records::write_run_file(job.folder / "result.json", records::json_text_of(result));
    } catch (const std::exception&) {
        std::error_code ignored;
        fs::remove(job.folder / "result.json", ignored);
    }
}

std::string no_room_for(const setup::ExperimentFile& file, const SimulationJob& job) {
    return file.place_of("workload.kernel", job.run).text() +
           ": this experiment does not fit into this machine's memory, or into its share of it "
           "(ulimit -v)";
}

}  // namespace

int simulate_job(const setup::ExperimentFile& file, const SimulationJob& job,
                 const std::function<bool(const records::Progress&)>& report,
                 kinds::Instrument* instrument, std::string& message,
                 const std::function<void(kinds::Setup&)>& adjust) {
    const fs::path& folder = job.folder;
    try {
        const std::unique_ptr<kinds::Setup> setup = kinds::make_setup(file, job.run);
        const bool is_as_the_file_says = instrument == nullptr && !adjust && !job.stops_at_limit;
        if (is_as_the_file_says && setup->wants_interval() &&
            setup->run.relative_precision.value() > 0.0) {
            return simulate_until_precise(file, job, *setup, report, message);
        }
        require_permitted(setup->kind->wants(file, job.run));
        setup->kind->load_code(file, job.run, *setup);
        fs::create_directory(folder);
        note_contents(*setup, job.seed, folder);
        if (adjust) {
            adjust(*setup);
        }
        records::SimulationResult result =
            setup->kind->run(*setup, {job.seed, folder, report, instrument, job.cores});
        message = result.explanation;
        result.exit_status = exit_status(result, job);
        records::write_run_file(folder / "result.json", records::json_text_of(result));
        if (job.run.variant) {
            // The trace has been measured, and the sensitivity table needs no traces.
            fs::remove(folder / trace::kTraceFile);
        }
        return result.exit_status;
    } catch (const firmware::InputFault& fault) {
        message = fault.what();
        return kBadInput;
    } catch (const setup::UserFault& fault) {
        message = fault.what();
        return kBadInput;
    } catch (const nodes::ProgramFault& fault) {
        const bool is_users = kinds::has_users_program(file, job.run);
        message = (is_users ? "" : kOwnFault) + std::string(fault.what());
        const int status = is_users ? kWrongAnswer : kBug;
        note_failure(job, is_users ? "fault of the program" : kOwnFailure, status, message);
        return status;
    } catch (const nodes::MachineFault& fault) {
        message = file.fault_at(fault.fault(), job.run).what();
        return kBadInput;
    } catch (const std::bad_alloc&) {
        message = no_room_for(file, job);
        return kRefused;
    } catch (const sc_core::sc_report& fault) {
        if (fault.get_id() == kUncaught &&
            fault.get_msg() == std::string(std::bad_alloc().what())) {
            message = no_room_for(file, job);
            return kRefused;
        }
        message = kOwnFault + std::string(fault.what());
        note_failure(job, kOwnFailure, kBug, message);
        return kBug;
    } catch (const std::exception& fault) {
        if (auto refusal = setup::refusal_text()) {
            message = *std::move(refusal);
            return kRefused;
        }
        message = kOwnFault + std::string(fault.what());
        note_failure(job, kOwnFailure, kBug, message);
        return kBug;
    }
}

void require_instructions(const setup::ExperimentFile& file, setup::SelectedRun run,
                          const kinds::Setup& setup) {
    const kinds::KernelKind* kind = kinds::find_kernel_kind(setup);
    if (kind == nullptr || kind->compiled_kernel() == nullptr) {
        throw file.fault_at("core.kind", run, "its cores run no instructions",
                            R"(an experiment with core.kind = "sparcle"; `weir step` steps )"
                            "through runs of any kernel");
    }
}

}  // namespace weir::experiments::running
