#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "experiments/commands/all_commands.h"
#include "experiments/commands/installed_files.h"
#include "experiments/kinds/recorded/recorded_kind.h"
#include "experiments/pages/text_page.h"
#include "experiments/records/json_output.h"
#include "experiments/records/validation.h"
#include "experiments/running/processes/default_run_options.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/setup/text/wrapped_text.h"
#include "experiments/setup/user_fault.h"
#include "experiments/setup/version.h"
#include "experiments/validation/check_claims.h"
#include "experiments/validation/traced_experiment.h"

namespace weir::experiments::commands {

namespace {

// One paragraph for each trace with missing data.
std::string unmeasured_parts(const records::ExperimentResult& result) {
    std::string text;
    for (const records::PointResult& point : result.points) {
        for (const kinds::MeasuredTrace& trace : kinds::measured_traces(point)) {
            const std::vector<std::string> absent = trace.missing_measurements();
            text += absent.empty() ? "" : "missing in the trace " + trace.file + "\n";
            for (const std::string& sentence : absent) {
                text += setup::wrapped(sentence, "  ", "    ");
            }
        }
    }
    return text.empty() ? "" : text + "\n";
}

nlohmann::ordered_json experiment_document(const std::string& file,
                                           const records::ExperimentResult& result,
                                           const std::vector<records::Check>& checks) {
    nlohmann::ordered_json document{{"file", file}};
    auto traces = nlohmann::ordered_json::array();
    for (const records::PointResult& point : result.points) {
        for (const auto& trace : records::particular(point, records::kTraces)) {
            traces.push_back(trace);
        }
    }
    if (!traces.empty()) {
        document["traces"] = std::move(traces);
    }
    document["checks"] = to_json(checks);
    return document;
}

/// `weir validate FILE...`: compares published values of experiments or files of claims with
/// measured ones. With --trace, the measurements come from traces recorded elsewhere.
class ValidateCommand final : public Command {
  public:
    ValidateCommand()
        : Command("validate", "Compare published, measured and predicted values"),
          options_(running::default_run_options()) {}

  private:
    void declare(CommandSyntax command) override {
        command.add_option("FILE", files_, "Experiments, or files of claims (TOML)")
            .required()
            .transform(from_own_experiments());
        add_settings(command, options_.set_options,
                     "Override a key in all files: --set run.seeds=[1]");
        command
            .add_option("--only", only_,
                        "Claims with this part of a name, text, source or\n"
                        "computation; wildcards * and ?; repeatable")
            .type_name("PATTERN")
            .takes_one_value();
        command.add_flag("--hypotheses", hypotheses_,
                         "With --only: also check these claims under the\n"
                         "hypotheses about details their papers leave open");
        command
            .add_option("--trace", traces_,
                        "Evaluate this cycle trace of the experiment, made\n"
                        "elsewhere, and run nothing; repeatable for further\n"
                        "runs; weir trace schema prints the schema")
            .type_name("DB")
            .takes_one_value();
        add_permissions(command, options_.permissions);
        add_jobs(command, options_.workers);
        command.add_flag("--json", json_, "Print the result as one JSON object");
    }

    int execute() override {
        if (!traces_.empty()) {
            require_one_experiment();
        }
        std::vector<CheckedFile> files;
        for (const std::string& path : files_) {  // check all files before the first run
            files.push_back(check(path));
        }
        nlohmann::ordered_json document{{"weir", setup::kVersion},
                                        {"experiments", nlohmann::ordered_json::array()},
                                        {"claims", nlohmann::ordered_json::array()}};
        std::vector<records::Check> checks;
        std::vector<validation::CheckedClaim> claims;
        const auto show = [&](const std::string& page) {
            if (!json_) {
                std::cout << page << std::flush;
            }
        };
        for (CheckedFile& file : files) {
            if (file.claims) {
                file.claims->run(std::filesystem::path(file.path).stem().string());
                const std::vector<validation::CheckedClaim>& found = file.claims->claims();
                show(validation::claims_page(file.title, found));
                nlohmann::ordered_json hypotheses = nlohmann::ordered_json::array();
                for (const validation::HypothesisStudy& study : file.claims->studies()) {
                    show(pages::text_section(study.section()));
                    hypotheses.push_back(study.document());
                }
                document["claims"].push_back({{"file", file.path},
                                              {"counted", validation::counted_document(found)},
                                              {"rows", validation::claims_document(found)},
                                              {"hypotheses", hypotheses}});
                claims.insert(claims.end(), found.begin(), found.end());
            } else {
                const records::ExperimentResult result = measure(file);
                const std::vector<records::Check> found = records::validate(result);
                show(records::validation_table(file.path, found) + unmeasured_parts(result));
                document["experiments"].push_back(experiment_document(file.path, result, found));
                checks.insert(checks.end(), found.begin(), found.end());
            }
        }
        const bool any_experiment = std::any_of(
            files.begin(), files.end(), [](const CheckedFile& file) { return !file.claims; });
        show((any_experiment ? records::validation_summary(checks) : "") +
             (claims.empty() ? "" : validation::claims_summary(claims)));
        if (json_) {
            std::cout << records::json_text(document, 1) << "\n";
        }
        const bool any_missed = std::any_of(
            checks.begin(), checks.end(), [](const records::Check& each) { return each.missed(); });
        const bool any_turned =
            std::any_of(claims.begin(), claims.end(),
                        [](const validation::CheckedClaim& each) { return !each.is_sound(); });
        return any_missed || any_turned ? running::kToleranceMissed : running::kSuccess;
    }

    /// A checked file of experiments or claims; nothing has been run.
    struct CheckedFile {
        std::string path;
        std::string title;
        std::unique_ptr<validation::ClaimsCheck> claims;  ///< null for an experiment
    };
    [[nodiscard]] CheckedFile check(const std::string& path) {
        CheckedFile file;
        file.path = path;
        if (const std::optional<validation::ClaimsFile> claims = validation::read_claims(path)) {
            file.title = claims->title;
            file.claims = std::make_unique<validation::ClaimsCheck>(
                *claims, validation::chosen_claims(*claims, only_), only_.empty() || hypotheses_,
                options_);
            return file;
        }
        if (!only_.empty()) {
            throw setup::UserFault({path}, "--only with an experiment", "a file of claims");
        }
        options_.file = path;
        if (traces_.empty()) {
            running::check_experiment(options_);
        }
        return file;
    }

    [[nodiscard]] records::ExperimentResult measure(const CheckedFile& file) {
        options_.file = file.path;
        return traces_.empty() ? running::run_experiment(options_)
                               : validation::measure_traces(options_, traces_);
    }

    /// Requirement of --trace.
    void require_one_experiment() const {
        const bool is_one_experiment =
            files_.size() == 1 && !validation::read_claims(files_.front());
        if (!is_one_experiment || !only_.empty()) {
            throw setup::UserFault({"--trace"},
                                   files_.size() > 1 ? "traces of several files"
                                   : !only_.empty()  ? "traces with --only"
                                                     : "traces of a file of claims",
                                   "one experiment file, to which the traces belong");
        }
    }

    std::vector<std::string> files_;
    std::vector<std::string> only_;
    std::vector<std::string> traces_;
    bool hypotheses_ = false;
    bool json_ = false;
    running::RunOptions options_;
};

}  // namespace

std::unique_ptr<Command> validate_command() { return std::make_unique<ValidateCommand>(); }

}  // namespace weir::experiments::commands
