#include "firmware/kernels/diamond_dag/fasta.h"
#include "hw/testing/fuzz_target.h"

namespace weir::firmware {
namespace {

const hw::testing::FuzzTarget kFastaFuzz({
    .name = "fasta",
    .sources = {"firmware/kernels/diamond_dag/fasta.cpp"},
    .read =
        [](const std::string& input) {
            static const hw::testing::InputFile file("a.fa");
            file.write(input);
            static_cast<void>(read_fasta(file.path()));
        },
    .seeds =
        [] {
            return std::vector<std::string>{">chain 1, any text > here\nACGT\nTTN\nA\n",
                                            "\n \n>a\r\n\nac \t\r\n\ngtn", ">a\nACGT\n>b\nACGT\n"};
        },
    .tests = "FastaTest.*",
});

}  // namespace
}  // namespace weir::firmware
