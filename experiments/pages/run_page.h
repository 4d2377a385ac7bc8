#pragma once

#include <filesystem>
#include <string>

#include "experiments/records/document.h"
#include "experiments/records/stored_result.h"

namespace weir::experiments::pages {

/// Page of a run's result: measurements beside predictions and published values, parts of a round
/// trip, validation, sensitivity, configuration, figures. Networks and queues are read from the
/// result's folder, as far as its files still exist.
[[nodiscard]] records::Document run_document(const records::ExperimentResult& result);
/// Page of a study with all its experiments.
[[nodiscard]] records::Document run_document(const records::StudyResult& result);
/// Page of a run's folder, or of a folder of such folders. The given metric is the main metric of
/// each experiment that measures it; an empty name selects each experiment's own main metric.
/// Throws setup::UserFault if the folder holds no run, or if no run has the metric.
[[nodiscard]] records::Document stored_document(const std::filesystem::path& folder,
                                                const std::string& metric = "");

/// The result for a terminal, with the name of the folder that has all of it.
[[nodiscard]] std::string text_page(const records::ExperimentResult& result);
[[nodiscard]] std::string text_page(const records::StudyResult& result);
/// The page in parts, printed as results arrive: the points before variants have run, the additions
/// by the variants, and a study's summary.
[[nodiscard]] std::string text_page_of_points(records::ExperimentResult result);
[[nodiscard]] std::string text_page_of_sensitivity(const records::ExperimentResult& result);
[[nodiscard]] std::string text_page_of_all_parts(const records::StudyResult& result);

/// One experiment of several: its page below its title and description.
[[nodiscard]] records::Section experiment_section(const records::ExperimentResult& result);

}  // namespace weir::experiments::pages
