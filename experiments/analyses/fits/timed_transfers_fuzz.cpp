#include "experiments/analyses/fits/timed_transfers.h"
#include "experiments/analyses/fits/transfer_fit.h"
#include "hw/testing/fuzz_target.h"

namespace weir::experiments::analyses {
namespace {

void fit_table(const std::string& input) {
    static const hw::testing::InputFile file("transfers.csv");
    file.write(input);
    static_cast<void>(fit_memory_logp(timed_transfers(file.path())));
}

const hw::testing::FuzzTarget kTimedTransfersFuzz({
    .name = "timed-transfers",
    .sources = {"experiments/analyses/fits/timed_transfers.cpp",
                "experiments/records/csv_input.cpp"},
    .read = fit_table,
    .seeds =
        [] {
            return std::vector<std::string>{
                "kind,element_bytes,stride_bytes,bytes,cycles\nmemcpy,4,4,128,128\n"
                "memcpy,4,8,128,256\n",
                "bytes,cycles,kind,stride_bytes,element_bytes,\"a \"\"note\"\"\"\r\n"
                "800,1.5e3,pack,8,8,\r\n800,4000,unpack,64,8,x\r\n"};
        },
    .words = {"kind,", "\"", "\"\"", "1e308", "-1", "0", "9223372036854775807"},
});

}  // namespace
}  // namespace weir::experiments::analyses
