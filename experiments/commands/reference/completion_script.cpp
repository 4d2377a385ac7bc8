#include "experiments/commands/reference/completion_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace weir::experiments::commands {

namespace {

/// Completions of an option's value or of an argument.
struct Completion {
    std::vector<std::string> words;
    bool takes_files = false;
    bool takes_folders = false;
    bool is_key = false;  ///< true if = and a value follow the word
};

Completion of_argument(const OutlineCommand& command, const OutlineOption& argument,
                       const CompletionWords& words) {
    const std::string& name = argument.names.front();
    const std::string command_name = command.name();
    if (name == "FILE") {
        return {words.files, true};
    }
    if (name == "NAME" && command_name == "model") {
        return {words.models};
    }
    if (name == "PATTERN" && command_name == "params") {
        return {words.tables};
    }
    if (name == "KIND") {
        return {words.kinds};
    }
    if (name == "SHELL") {
        return {words.shells};
    }
    if (name == "COMMAND") {
        return {words.commands};
    }
    const bool names_a_file =
        name == "SOURCE" || name == "DB" || name == "BEFORE" || name == "AFTER" || name == "RUN";
    return {{}, names_a_file};
}

Completion of_value(const OutlineOption& option, const CompletionWords& words) {
    if (option.value == "KEY=VALUE") {
        return {words.keys, false, false, true};
    }
    return {{}, option.value == "FILE" || option.value == "DB", option.value == "FOLDER"};
}

/// Completions of all the command's arguments together: options between them hide which argument
/// comes next.
Completion of_arguments(const OutlineCommand& command, const CompletionWords& words) {
    Completion all;
    for (const OutlineCommand& inner : command.commands) {
        all.words.push_back(inner.name());
    }
    for (const OutlineOption& argument : command.arguments) {
        const Completion one = of_argument(command, argument, words);
        all.words.insert(all.words.end(), one.words.begin(), one.words.end());
        all.takes_files = all.takes_files || one.takes_files;
    }
    return all;
}

std::string in_a_line(const std::vector<std::string>& words, const std::string& between = " ") {
    return fmt::format("{}", fmt::join(words, between));
}

std::vector<std::string> option_names(const OutlineCommand& command) {
    std::vector<std::string> names;
    for (const OutlineOption& option : command.options) {
        names.insert(names.end(), option.names.begin(), option.names.end());
    }
    return names;
}

/// Pattern of a shell's `case`: 'weir run'|'weir sweep'.
std::string case_patterns(const std::vector<std::string>& texts) {
    return "'" + in_a_line(texts, "'|'") + "'";
}

/// Options with a value of the given type, each with its command: "weir run --set".
std::vector<std::string> valued_options(const OutlineCommand& program, const CompletionWords& words,
                                        bool (*is_meant)(const Completion&)) {
    std::vector<std::string> texts;
    for (const OutlineCommand* command : all_commands(program)) {
        for (const OutlineOption& option : command->options) {
            if (option.value.empty() || !is_meant(of_value(option, words))) {
                continue;
            }
            for (const std::string& name : option.names) {
                texts.push_back(command->path + " " + name);
            }
        }
    }
    return texts;
}

bool takes_key(const Completion& value) { return value.is_key; }
bool takes_folder(const Completion& value) { return value.takes_folders; }
bool takes_file(const Completion& value) { return value.takes_files; }
bool takes_anything(const Completion& value) {
    return !value.is_key && !value.takes_folders && !value.takes_files;
}

std::vector<std::string> inner_paths(const OutlineCommand& program) {
    std::vector<std::string> paths;
    for (const OutlineCommand* command : all_commands(program)) {
        if (command != &program) {
            paths.push_back(command->path);
        }
    }
    return paths;
}

// Branches of a shell's `case` with each command's argument words, in syntax common to bash and
// zsh.
std::string argument_cases(const OutlineCommand& program, const CompletionWords& words) {
    std::string text;
    for (const OutlineCommand* command : all_commands(program)) {
        const Completion places = of_arguments(*command, words);
        text += fmt::format("        '{}') offered='{}' files={} options='{}' ;;\n", command->path,
                            in_a_line(places.words), places.takes_files ? "yes" : "",
                            in_a_line(option_names(*command)));
    }
    return text;
}

std::string choice_cases(const CompletionWords& words) {
    std::string text;
    for (const auto& [key, values] : words.choices) {
        text += fmt::format("        {}) offered='{}' ;;\n", key, in_a_line(values));
    }
    return text;
}

// Fills in the placeholders {0} to {7} of a script.
std::string filled_in(std::string_view script, const OutlineCommand& program,
                      const CompletionWords& words) {
    return fmt::format(fmt::runtime(script), case_patterns(inner_paths(program)),
                       case_patterns(valued_options(program, words, takes_key)),
                       in_a_line(words.keys),
                       case_patterns(valued_options(program, words, takes_folder)),
                       case_patterns(valued_options(program, words, takes_file)),
                       case_patterns(valued_options(program, words, takes_anything)),
                       choice_cases(words), argument_cases(program, words));
}

std::string bash_script(const OutlineCommand& program, const CompletionWords& words) {
    return filled_in(
        R"(# bash completion for weir, made by: weir completion bash
_weir() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} path=weir i
    local offered='' options='' files='' key=''
    for ((i = 1; i < COMP_CWORD; ++i)); do
        case "$path ${{COMP_WORDS[i]}}" in
        {0}) path+=" ${{COMP_WORDS[i]}}" ;;
        esac
    done
    COMPREPLY=()
    # Bash makes a word of = too.
    if [[ $current == '=' ]]; then
        key=$before current=''
    elif [[ $before == '=' ]]; then
        key=${{COMP_WORDS[COMP_CWORD - 2]}}
    fi
    if [[ $key == -* ]]; then
        before=$key
    elif [[ -n $key ]]; then
        case $key in
{6}        esac
        mapfile -t COMPREPLY < <(compgen -W "$offered" -- "$current")
        return
    fi
    case "$path $before" in
    {1})
        compopt -o nospace 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -S = -W '{2}' -- "$current")
        return ;;
    {3})
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -d -- "$current")
        return ;;
    {4})
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        return ;;
    {5}) return ;;
    esac
    case $path in
{7}    esac
    if [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
        return
    fi
    mapfile -t COMPREPLY < <(compgen -W "$offered" -- "$current")
    if [[ -n $files ]]; then
        compopt -o filenames 2>/dev/null
        mapfile -t -O ${{#COMPREPLY[@]}} COMPREPLY < <(compgen -f -- "$current")
    fi
}}
complete -F _weir weir
)",
        program, words);
}

std::string zsh_script(const OutlineCommand& program, const CompletionWords& words) {
    return filled_in(
        R"(#compdef weir
# zsh completion for weir, made by: weir completion zsh
_weir() {{
    local before=${{words[CURRENT-1]}} path_of_command=weir word
    local offered='' options='' files=''
    for word in "${{(@)words[2,CURRENT-1]}}"; do
        case "$path_of_command $word" in
        {0}) path_of_command+=" $word" ;;
        esac
    done
    case "$path_of_command $before" in
    {1})
        if [[ $PREFIX == *=* ]]; then
            case ${{PREFIX%%=*}} in
{6}            esac
            compset -P '*='
            compadd -- ${{=offered}}
        else
            compadd -S = -- {2}
        fi
        return ;;
    {3}) _files -/; return ;;
    {4}) _files; return ;;
    {5}) return ;;
    esac
    case $path_of_command in
{7}    esac
    if [[ $PREFIX == -* ]]; then
        compadd -- ${{=options}}
        return
    fi
    compadd -- ${{=offered}}
    [[ -z $files ]] || _files
}}
if [[ $funcstack[1] == _weir ]]; then _weir "$@"; else compdef _weir weir; fi
)",
        program, words);
}

std::string fish_quoted(std::string text) {
    for (std::size_t at = 0; (at = text.find_first_of("'\\", at)) != std::string::npos; at += 2) {
        text.insert(at, 1, '\\');
    }
    return "'" + text + "'";
}

std::string fish_script(const OutlineCommand& program, const CompletionWords& words) {
    std::string text = fmt::format(
        R"(# fish completion for weir, made by: weir completion fish
function __weir_at
    set -l path weir
    for word in (commandline -opc)[2..-1]
        if contains -- "$path $word" {}
            set path "$path $word"
        end
    end
    test "$path" = "$argv"
end
complete -c weir -f
)",
        case_patterns(inner_paths(program)));
    // fish separates words with blanks only.
    std::replace(text.begin(), text.end(), '|', ' ');
    for (const OutlineCommand* command : all_commands(program)) {
        const std::string at = fmt::format("complete -c weir -n '__weir_at {}'", command->path);
        for (const OutlineCommand& inner : command->commands) {
            text += fmt::format("{} -a {} -d {}\n", at, inner.name(), fish_quoted(inner.sentence));
        }
        for (const OutlineOption& argument : command->arguments) {
            const Completion place = of_argument(*command, argument, words);
            text += place.takes_files ? at + " -F\n" : "";
            text += place.words.empty()
                        ? ""
                        : fmt::format("{} -a {}\n", at, fish_quoted(in_a_line(place.words)));
        }
        for (const OutlineOption& option : command->options) {
            text += at;
            for (const std::string& name : option.names) {
                text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
            }
            if (!option.value.empty()) {
                const Completion value = of_value(option, words);
                text += value.takes_files || value.takes_folders ? " -r -F" : " -x";
                text += value.words.empty()
                            ? ""
                            : " -a " + fish_quoted(in_a_line(value.words, "= ") + "=");
            }
            text += " -d " + fish_quoted(option.sentence) + "\n";
        }
    }
    return text;
}

}  // namespace

std::string completion_script(Shell shell, const OutlineCommand& program,
                              const CompletionWords& words) {
    switch (shell) {
        case Shell::kBash:
            return bash_script(program, words);
        case Shell::kZsh:
            return zsh_script(program, words);
        case Shell::kFish:
            return fish_script(program, words);
    }
    return {};
}

}  // namespace weir::experiments::commands
