#include "experiments/running/processes/command_line.h"

namespace weir::experiments::running {

CommandLine settings_words(std::span<const std::string> set_options) {
    CommandLine words;
    for (const std::string& option : set_options) {
        words.insert(words.end(), {"--set", option});
    }
    return words;
}

CommandLine weir_command(const std::string& command, const std::string& file,
                         const CommandLine& others, std::span<const std::string> set_options) {
    CommandLine words{"weir", command, file};
    words.insert(words.end(), others.begin(), others.end());
    const CommandLine settings = settings_words(set_options);
    words.insert(words.end(), settings.begin(), settings.end());
    return words;
}

std::string shell_word(const std::string& word) {
    constexpr const char* kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,%@";
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
        return word;
    }
    std::string text = "'";
    for (const char letter : word) {
        text += letter == '\'' ? "'\\''" : std::string(1, letter);
    }
    return text + "'";
}

std::string shell_text(const CommandLine& command) {
    std::string text;
    for (const std::string& word : command) {
        text += (text.empty() ? "" : " ") + shell_word(word);
    }
    return text;
}

}  // namespace weir::experiments::running
