#include "experiments/setup/user_fault.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>
#include <vector>

#include "experiments/setup/retired_names.h"

namespace weir::experiments::setup {

namespace {

/// Name without differences of the shift key: lower case, and _ for -.
std::string folded(std::string_view name) {
    std::string folded_name(name);
    for (char& letter : folded_name) {
        letter = letter == '-'
                     ? '_'
                     : static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
    return folded_name;
}

/// Damerau-Levenshtein distance (optimal string alignment: no substring is edited twice).
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before_previous(b.size() + 1);
    std::vector<std::size_t> previous(b.size() + 1);
    std::vector<std::size_t> current(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) {
        current[j] = j;
    }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::swap(before_previous, previous);
        std::swap(previous, current);
        current[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substitution = a[i - 1] == b[j - 1] ? 0 : 1;
            current[j] =
                std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + substitution});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) {
                current[j] = std::min(current[j], before_previous[j - 2] + 1);
            }
        }
    }
    return current[b.size()];
}

// True if `name` has several words and `found` has all of them: "interrupt_entry_cycles" has those
// of "entry_cycles".
bool has_all_words_of(std::string_view found, const std::string& name) {
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin < name.size();) {
        const std::size_t end = std::min(name.find('_', begin), name.size());
        words.push_back("_" + name.substr(begin, end - begin) + "_");
        begin = end + 1;
    }
    const std::string text = "_" + std::string(found) + "_";
    return words.size() > 1 && std::all_of(words.begin(), words.end(), [&text](const auto& word) {
               return text.find(word) != std::string::npos;
           });
}

}  // namespace

std::string Place::text() const {
    return line == 0 ? source : fmt::format("{}:{}:{}", source, line, column);
}

std::optional<std::string> nearest_name(std::string_view found,
                                        std::span<const std::string> candidates) {
    constexpr std::size_t kSlip = 2;  // most edits of a typing error
    const std::string found_folded = folded(found);
    std::optional<std::string> nearest;
    std::size_t fewest_edits = 0;
    std::optional<std::string> within;
    std::vector<std::string> begun_by_found;
    for (const std::string& candidate : candidates) {
        const std::string name = folded(candidate);
        const std::size_t edits = edit_distance(found_folded, name);
        const std::size_t shorter = std::min(found_folded.size(), name.size());
        const bool near = edits <= std::max<std::size_t>(1, shorter / 3) && edits < shorter;
        if (near && (!nearest || edits < fewest_edits)) {
            nearest = candidate;
            fewest_edits = edits;
        }
        if (has_all_words_of(found_folded, name) && (!within || name.size() > within->size())) {
            within = candidate;
        }
        if (!found.empty() && name.starts_with(found_folded)) {
            begun_by_found.push_back(candidate);
        }
    }
    if (within && (!nearest || fewest_edits > kSlip)) {
        return within;
    }
    if (!nearest && begun_by_found.size() == 1) {
        return begun_by_found.front();
    }
    return nearest;
}

UserFault unknown_name(const Place& place, std::string_view kind, std::string_view found,
                       std::span<const std::string> accepted) {
    return {place, fmt::format("no {} \"{}\"{}", kind, found, retired_note(found)),
            accepted.empty() ? "nothing, there are none" : quoted_list(accepted),
            nearest_name(found, accepted)};
}

std::string quoted_list(std::span<const std::string> names) {
    constexpr std::size_t kMostBytes = 1'500;  // longest readable list
    std::string list;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (list.size() > kMostBytes) {
            return list + fmt::format(", and {} more", names.size() - i);
        }
        list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", names[i]);
    }
    return list;
}

}  // namespace weir::experiments::setup
