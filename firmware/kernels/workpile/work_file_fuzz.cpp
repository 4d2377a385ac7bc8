#include "firmware/kernels/workpile/work_file.h"
#include "hw/testing/fuzz_target.h"

namespace weir::firmware {
namespace {

const hw::testing::FuzzTarget kWorkFileFuzz({
    .name = "work-file",
    .sources = {"firmware/kernels/workpile/work_file.cpp"},
    .read =
        [](const std::string& input) {
            static const hw::testing::InputFile file("work.txt");
            file.write(input);
            static_cast<void>(read_work_file(file.path()));
        },
    .seeds =
        [] {
            return std::vector<std::string>{"100\n0\n250\n", "1", "-1\n", "\n"};
        },
});

}  // namespace
}  // namespace weir::firmware
