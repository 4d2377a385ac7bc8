#pragma once

#include <filesystem>
#include <string>

#include "experiments/records/document.h"
#include "experiments/records/stored_result.h"

namespace weir::experiments::pages {

/// A run's result as a page: what was measured, beside what each model predicts and what was
/// published; where a round trip went; validation, sensitivity, configuration, figures. Networks
/// and queues are read from the result's folder as far as it is still there.
[[nodiscard]] records::Document run_document(const records::ExperimentResult& result);
/// The same of all parts.
[[nodiscard]] records::Document run_document(const records::StudyResult& result);
/// The page of a run's folder, or of a folder of such folders. Each experiment that has the metric
/// leads with it; an empty name stands for each experiment's own leading metric. Throws
/// setup::UserFault where the folder holds no run, or no run has the metric.
[[nodiscard]] records::Document stored_document(const std::filesystem::path& folder,
                                                const std::string& metric = "");

/// The result for a terminal, with the folder that has it all.
[[nodiscard]] std::string text_page(const records::ExperimentResult& result);
[[nodiscard]] std::string text_page(const records::StudyResult& result);
/// The same bit by bit: what is known before variants have run, and what they add; of a study what
/// is about all of its parts.
[[nodiscard]] std::string text_page_of_points(records::ExperimentResult result);
[[nodiscard]] std::string text_page_of_sensitivity(const records::ExperimentResult& result);
[[nodiscard]] std::string text_page_of_all_parts(const records::StudyResult& result);

/// An experiment among others: its page below its title and description.
[[nodiscard]] records::Section experiment_section(const records::ExperimentResult& result);

}  // namespace weir::experiments::pages
