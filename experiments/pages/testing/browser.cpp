#include "experiments/pages/testing/browser.h"

#include <regex>
#include <sstream>

namespace weir::experiments::pages {

namespace {

constexpr const char* kBrowser = "/usr/bin/chromium";

std::map<std::string, std::string> attributes_of(const std::string& tag) {
    static const std::regex kAttribute("([a-z-]+)=\"([^\"]*)\"");
    std::map<std::string, std::string> found;
    for (std::sregex_iterator at(tag.begin(), tag.end(), kAttribute), end; at != end; ++at) {
        found[(*at)[1]] = (*at)[2];
    }
    return found;
}

std::string without_tags(const std::string& html) {
    static const std::regex kTag("<[^>]*>");
    return std::regex_replace(html, kTag, "");
}

}  // namespace

std::optional<BrowsedPage> browse(const std::string& address, const std::filesystem::path& folder,
                                  int width) {
    if (!std::filesystem::exists(kBrowser)) {
        return std::nullopt;
    }
    RunningProgram browser(
        kBrowser,
        {"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
         "--enable-logging=stderr", "--v=0", "--virtual-time-budget=10000",
         "--window-size=" + std::to_string(width) + ",900",
         "--user-data-dir=" + (folder / "profile").string(), "--dump-dom", address},
        folder, folder);
    const ProgramEnd end = browser.wait(std::chrono::seconds(200));
    EXPECT_EQ(end.status, 0) << end.error;
    BrowsedPage page{end.output, {}};
    std::istringstream lines(end.error);
    for (std::string line; std::getline(lines, line);) {
        if (line.find(":CONSOLE") != std::string::npos) {
            page.console.push_back(line);
        }
    }
    return page;
}

std::vector<std::vector<BrowsedCell>> table_of(const std::string& document, std::size_t number) {
    std::size_t begin = document.find("<tbody>");
    for (std::size_t i = 0; i < number && begin != std::string::npos; ++i) {
        begin = document.find("<tbody>", begin + 1);
    }
    std::vector<std::vector<BrowsedCell>> rows;
    if (begin == std::string::npos) {
        return rows;
    }
    const std::string body = document.substr(begin, document.find("</tbody>", begin) - begin);
    for (std::size_t at = body.find("<tr"); at != std::string::npos;
         at = body.find("<tr", at + 1)) {
        std::vector<BrowsedCell>& row = rows.emplace_back();
        const std::size_t end = body.find("</tr>", at);
        for (std::size_t cell = body.find("<t", at + 3); cell < end;
             cell = body.find("<t", cell + 1)) {
            const std::size_t inside = body.find('>', cell) + 1;
            const std::string tag = body.substr(cell, inside - cell);
            const std::size_t close = body.find(tag.starts_with("<th") ? "</th>" : "</td>", inside);
            row.push_back({without_tags(body.substr(inside, close - inside)), attributes_of(tag)});
        }
    }
    return rows;
}

std::size_t count_of(const std::string& text, const std::string& what) {
    std::size_t count = 0;
    for (std::size_t at = text.find(what); at != std::string::npos;
         at = text.find(what, at + what.size())) {
        ++count;
    }
    return count;
}

}  // namespace weir::experiments::pages
