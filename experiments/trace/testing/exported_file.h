#pragma once

#include <zlib.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace weir::experiments::trace {

/// Text of a file, compressed or not.
inline std::string text_of_export(const std::filesystem::path& path) {
    gzFile_s* const file = gzopen(path.c_str(), "rb");
    if (file == nullptr) {
        throw std::runtime_error("cannot open " + path.string());
    }
    std::string text;
    std::vector<char> chunk(1 << 16);
    int length = 0;
    while ((length = gzread(file, chunk.data(), static_cast<unsigned>(chunk.size()))) > 0) {
        text.append(chunk.data(), static_cast<std::size_t>(length));
    }
    if (gzclose(file) != Z_OK || length < 0) {
        throw std::runtime_error("cannot read " + path.string());
    }
    return text;
}

/// Strict reader of value change dumps: accepts only the syntax of IEEE 1364. Throws
/// std::runtime_error for any other text. Values are texts as in the file: "101", "x".
class ValueChangeDump {
  public:
    explicit ValueChangeDump(const std::string& text) : words_(text) {
        while (read_declaration()) {
        }
        while (read_change()) {
        }
    }

    [[nodiscard]] const std::string& timescale() const { return timescale_; }
    [[nodiscard]] std::int64_t first_time() const { return times_.front(); }
    [[nodiscard]] std::int64_t last_time() const { return times_.back(); }
    [[nodiscard]] std::int64_t changes() const { return changes_; }
    /// Full names of the signals, such as "machine.node_0.handler", with their numbers of bits.
    [[nodiscard]] const std::map<std::string, int>& signals() const { return bits_; }

    /// Value of a signal at a time of the file.
    [[nodiscard]] std::string value(const std::string& name, std::int64_t time) const {
        const auto& history = histories_.at(identifiers_.at(name));
        const auto after = history.upper_bound(time);
        return after == history.begin() ? "unknown" : std::prev(after)->second;
    }
    /// Value of a signal at a time as a number; -1 for x.
    [[nodiscard]] std::int64_t number(const std::string& name, std::int64_t time) const {
        const std::string text = value(name, time);
        return text == "x" ? -1 : std::stoll(text, nullptr, 2);
    }

  private:
    static void require(bool is_so, const std::string& what) {
        if (!is_so) {
            throw std::runtime_error("value change dump: " + what);
        }
    }

    std::string next() {
        std::string word;
        require(static_cast<bool>(words_ >> word), "ends too early");
        return word;
    }

    std::vector<std::string> until_end() {
        std::vector<std::string> section;
        for (std::string word = next(); word != "$end"; word = next()) {
            section.push_back(word);
        }
        return section;
    }

    bool read_declaration() {
        const std::string keyword = next();
        const std::vector<std::string> section = until_end();
        if (keyword == "$enddefinitions") {
            require(scopes_.empty(), "a scope is open");
            require(!timescale_.empty(), "no timescale");
            return false;
        }
        if (keyword == "$timescale") {
            require(section.size() == 2, "timescale");
            require(std::set<std::string>{"1", "10", "100"}.contains(section[0]), "timescale");
            require(std::set<std::string>{"s", "ms", "us", "ns", "ps"}.contains(section[1]),
                    "timescale");
            timescale_ = section[0] + " " + section[1];
        } else if (keyword == "$scope") {
            require(section.size() == 2 && section[0] == "module", "scope");
            scopes_.push_back(section[1]);
        } else if (keyword == "$upscope") {
            require(!scopes_.empty(), "upscope without scope");
            scopes_.pop_back();
        } else if (keyword == "$var") {
            declare(section);
        } else {
            require(keyword == "$comment", "unknown " + keyword);
        }
        return true;
    }

    void declare(const std::vector<std::string>& section) {
        require(section.size() == 4 || section.size() == 5, "var");
        require(section[0] == "reg" || (section[0] == "integer" && section[1] == "32"), "var");
        std::string name;
        for (const std::string& scope : scopes_) {
            name += scope + ".";
        }
        name += section[3];
        require(bits_.emplace(name, std::stoi(section[1])).second, name + " is there twice");
        require(bits_of_identifier_.emplace(section[2], std::stoi(section[1])).second,
                section[2] + " is there twice");
        identifiers_[name] = section[2];
    }

    bool read_change() {
        std::string word;
        if (!(words_ >> word)) {
            return false;
        }
        if (word.front() == '#') {
            const std::int64_t time = std::stoll(word.substr(1));
            require(times_.empty() || time > times_.back(), "time does not go on");
            times_.push_back(time);
        } else if (word == "$dumpvars") {
            require(times_.size() == 1 && changes_ == 0, "$dumpvars is not at the beginning");
        } else if (word == "$end") {
            require(histories_.size() == bits_.size(), "$dumpvars is not complete");
        } else if (word.front() == 'b') {
            const std::string identifier = next();
            set(identifier, word.substr(1));
            require(bits_of_identifier_.at(identifier) > 1, "a bit as a vector");
        } else {
            set(word.substr(1), word.substr(0, 1));
            require(bits_of_identifier_.at(word.substr(1)) == 1, "a vector as a bit");
        }
        return true;
    }

    void set(const std::string& identifier, const std::string& value) {
        require(!times_.empty(), "a change without a time");
        require(value == "x" ||
                    (value.find_first_not_of("01") == std::string::npos &&
                     value.size() <= static_cast<std::size_t>(bits_of_identifier_.at(identifier))),
                "value " + value);
        auto& history = histories_[identifier];
        require(history.empty() || std::prev(history.end())->second != value, "no change");
        require(history.emplace(times_.back(), value).second, "two changes at a time");
        changes_ += 1;
    }

    std::istringstream words_;
    std::string timescale_;
    std::vector<std::string> scopes_;
    std::map<std::string, int> bits_;
    std::map<std::string, int> bits_of_identifier_;
    std::map<std::string, std::string> identifiers_;
    std::map<std::string, std::map<std::int64_t, std::string>> histories_;
    std::vector<std::int64_t> times_;
    std::int64_t changes_ = 0;
};

}  // namespace weir::experiments::trace
