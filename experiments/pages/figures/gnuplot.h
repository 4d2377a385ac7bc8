#pragma once

#include <stdexcept>
#include <string>

namespace weir::experiments::pages {

/// gnuplot is not installed, or did not draw what it was asked to.
class GnuplotError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Runs gnuplot on a script and waits for it. Throws GnuplotError.
void run_gnuplot(const std::string& script);

/// The text inside double quotes of a gnuplot script, shown as it is: no letter makes a subscript.
[[nodiscard]] std::string gnuplot_plain(const std::string& text);

/// A text of gnuplot_plain() as the label of a tic, in which a per cent sign
/// would begin a format.
[[nodiscard]] std::string gnuplot_tic(const std::string& text);

}  // namespace weir::experiments::pages
