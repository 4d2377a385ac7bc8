#pragma once

#include <stdexcept>
#include <string>

namespace weir::experiments::pages {

/// gnuplot is not installed, or it failed.
class GnuplotError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Runs gnuplot on a script and waits for it. Throws GnuplotError if gnuplot is missing or fails.
void run_gnuplot(const std::string& script);

/// The text for double quotes of a gnuplot script, shown literally: no character makes a subscript.
[[nodiscard]] std::string gnuplot_plain(const std::string& text);

/// A text of gnuplot_plain() as a tick's label, where a per cent sign would begin a format.
[[nodiscard]] std::string gnuplot_tic(const std::string& text);

}  // namespace weir::experiments::pages
