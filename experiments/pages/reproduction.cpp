#include "experiments/pages/reproduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "experiments/records/stored_result.h"
#include "experiments/setup/text/shown_text.h"
#include "experiments/setup/version.h"
#include "experiments/trace/database/trace_digest.h"
#include "experiments/trace/log/log_format.h"
#include "experiments/trace/rows/trace_error.h"

namespace weir::experiments::pages {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostDigestedBytes = 32U << 20U;  // a second of the host
constexpr std::size_t kMostDigests = 8;

struct Work {
    const char* name;  ///< beginning of the sources of its values, in lower case
    const char* entry;
};

// In the order of the search: LoGPC before LogP.
constexpr std::array kWorks{Work{"logpc", R"(@article{moritz2001logpc,
  author = {Csaba Andras Moritz and Matthew I. Frank},
  title = {{LoGPC}: Modeling Network Contention in Message-Passing Programs},
  journal = {IEEE Transactions on Parallel and Distributed Systems},
  volume = {12}, number = {4}, pages = {404--415}, year = {2001}
})"},
                            Work{"logp", R"(@inproceedings{culler1993logp,
  author = {David Culler and Richard Karp and David Patterson and Abhijit Sahay and
            Klaus Erik Schauser and Eunice Santos and Ramesh Subramonian and
            Thorsten von Eicken},
  title = {{LogP}: Towards a Realistic Model of Parallel Computation},
  booktitle = {Principles and Practice of Parallel Programming (PPoPP)},
  pages = {1--12}, year = {1993}
})"},
                            Work{"lopc", R"(@inproceedings{frank1997lopc,
  author = {Matthew I. Frank and Anant Agarwal and Mary K. Vernon},
  title = {{LoPC}: Modeling Contention in Parallel Algorithms},
  booktitle = {Principles and Practice of Parallel Programming (PPoPP)},
  pages = {276--287}, year = {1997}
})"},
                            Work{"memory logp", R"(@inproceedings{cameron2003memory,
  author = {Kirk W. Cameron and Xian-He Sun},
  title = {Quantifying Locality Effect in Data Access Delay: Memory {logP}},
  booktitle = {International Parallel and Distributed Processing Symposium (IPDPS)},
  year = {2003}
})"},
                            Work{"booksim 2", R"(@inproceedings{jiang2013booksim,
  author = {Nan Jiang and Daniel U. Becker and George Michelogiannakis and
            James Balfour and Brian Towles and John Kim and William J. Dally},
  title = {A Detailed and Flexible Cycle-Accurate Network-on-Chip Simulator},
  booktitle = {International Symposium on Performance Analysis of Systems and
               Software (ISPASS)},
  year = {2013}
})"},
                            Work{"isca 1994", R"(@inproceedings{chaiken1994software,
  author = {David Chaiken and Anant Agarwal},
  title = {Software-Extended Coherent Shared Memory: Performance and Cost},
  booktitle = {International Symposium on Computer Architecture (ISCA)},
  year = {1994}
})"}};

// Digest of the trace in a run's folder; empty if it is absent, large or damaged.
std::string digest_in(const fs::path& folder) {
    const fs::path trace = folder / trace::kTraceFile;
    std::error_code absent;
    const std::uintmax_t bytes = fs::file_size(trace, absent);
    if (absent || bytes > kMostDigestedBytes) {
        return "";
    }
    try {
        return trace::trace_digest(trace);
    } catch (const trace::TraceError&) {
        return "";
    }
}

}  // namespace

records::Section reproduction_section(const records::ExperimentResult& result) {
    records::Section section;
    section.title = "How to reproduce it";
    section.is_left_out_of_text = true;
    section.blocks.emplace_back(records::Paragraph{
        fmt::format("This page was made by Weir {}. All points of the file, as it stands now and "
                    "without further options, run by:",
                    setup::kVersion)});
    section.blocks.emplace_back(records::Listing{fmt::format("weir run {}", result.file)});
    section.blocks.emplace_back(records::Paragraph{
        "Each run's folder has a file with all of its parameters, those of the command line "
        "included. weir run of this file repeats the run exactly. Equal versions give equal traces "
        "on any host; weir trace digest FOLDER prints the digest."});
    records::Table table;
    table.columns = {records::text_column("point"), records::number_column("seed"),
                     records::text_column("file to run"), records::text_column("trace's digest")};
    table.keys = 2;
    std::size_t digests = 0;
    for (const records::PointResult& point : result.points) {
        const std::vector<fs::path> folders = records::folders_of_point(result, point);
        for (std::size_t i = 0; i < folders.size() && i < point.seeds.size(); ++i) {
            const std::string digest = digests < kMostDigests ? digest_in(folders[i]) : "";
            digests += digest.empty() ? 0 : 1;
            table.rows.push_back(
                {records::text_cell(point.label),
                 records::whole_cell(static_cast<double>(point.seeds[i])),
                 records::text_cell((folders[i] / "configuration.toml").string()),
                 digest.empty() ? records::absent_cell() : records::text_cell(digest)});
        }
    }
    if (!table.rows.empty()) {
        section.blocks.emplace_back(std::move(table));
    }
    return section;
}

std::string bibtex_of(const std::string& source) {
    const std::string text = setup::in_small_letters(source);
    for (const Work& work : kWorks) {
        const std::string_view name = work.name;
        if (text.starts_with(name) &&
            (text.size() == name.size() || text[name.size()] == ' ' || text[name.size()] == ',')) {
            return work.entry;
        }
    }
    return "";
}

records::Section citations_section(const records::ExperimentResult& result) {
    std::vector<std::string> entries;
    for (const records::PointResult& point : result.points) {
        for (const setup::Published& published : point.published) {
            const std::string entry = bibtex_of(published.source);
            if (!entry.empty() &&
                std::find(entries.begin(), entries.end(), entry) == entries.end()) {
                entries.push_back(entry);
            }
        }
    }
    records::Section section;
    section.title = "Sources of the published values";
    section.is_left_out_of_text = true;
    section.is_folded = true;
    for (const std::string& entry : entries) {
        section.blocks.emplace_back(records::Listing{entry});
    }
    return section;
}

}  // namespace weir::experiments::pages
