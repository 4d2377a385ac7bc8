#include <fstream>

#include "experiments/setup/files/study.h"
#include "hw/testing/fuzz_target.h"

namespace weir::experiments::setup {
namespace {

const hw::testing::FuzzTarget kStudyFuzz({
    .name = "study",
    .sources = {"experiments/setup/files/study.cpp"},
    .read =
        [](const std::string& input) {
            static const hw::testing::InputFile file("study.toml");
            std::ofstream(file.folder() / "a.toml") << "title = \"a part\"\n";
            file.write(input);
            static_cast<void>(read_study(file.path()));
        },
    .seeds =
        [] {
            return std::vector<std::string>{
                "title = \"Two\"\ndescription = \"of them\"\nparts = [\"a.toml\"]\n",
                "parts = [\"a.toml\", \"./a.toml\", \"study.toml\", \"b.toml\"]\n",
                "title = 1\nparts = [3]\nother = 2\n"};
        },
    .words = {"parts = [", "\"a.toml\"", "\"study.toml\"", "title = "},
});

}  // namespace
}  // namespace weir::experiments::setup
