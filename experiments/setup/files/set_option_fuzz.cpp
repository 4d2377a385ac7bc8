#include "experiments/setup/files/experiment_content.h"
#include "experiments/setup/files/set_option.h"
#include "hw/testing/fuzz_target.h"

namespace weir::experiments::setup {
namespace {

const hw::testing::FuzzTarget kSetOptionFuzz({
    .name = "set-option",
    .sources = {"experiments/setup/files/set_option.cpp", "experiments/setup/files/toml_tree.cpp"},
    .read =
        [](const std::string& input) {
            const TomlEntry tree = parse_set_option(input);
            static_cast<void>(described(tree));
            static_cast<void>(toml_text(tree));
            static_cast<void>(content_of_set_option(tree));
        },
    .seeds =
        [] {
            return std::vector<std::string>{
                "network.dimensions=[4, 8]",
                "models.inputs.handler_cycles = { value = 145, source = \"Table 1\" }",
                "network.\"hop cycles\"=1979-05-27T07:32:00Z", "trace.file=/tmp/a=b c.sqlite",
                "network..hop_cycles=2"};
        },
    .tests = "SetOption.*",
    .words = {"a.a.a.a.a.a.a.a", "[[[[[[[[", "{a=", "'''", "\"\"\"", "inf", "0x", "published.",
              "models.", "point", "sweep"},
});

}  // namespace
}  // namespace weir::experiments::setup
