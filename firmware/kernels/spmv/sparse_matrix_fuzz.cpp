#include "firmware/kernels/spmv/sparse_matrix.h"
#include "hw/testing/fuzz_target.h"

namespace weir::firmware {
namespace {

const hw::testing::FuzzTarget kMatrixMarketFuzz({
    .name = "matrix-market",
    .sources = {"firmware/kernels/spmv/sparse_matrix.cpp"},
    .read =
        [](const std::string& input) {
            static const hw::testing::InputFile file("a.mtx");
            file.write(input);
            static_cast<void>(read_matrix_market(file.path()));
        },
    .seeds =
        [] {
            return std::vector<std::string>{
                "%%MatrixMarket matrix coordinate real general\n% a comment\n3 4 4\n3 4 -2.5e-3\n"
                "1 2 0.5\n3 1 1e300\n1 1 7\n",
                "%%MatrixMarket matrix coordinate integer symmetric\r\n2 2 2\r\n1 1 -3\r\n2 1 +4",
                "%%MatrixMarket matrix array real skew-symmetric\n3 3\n1.5D+02\n0\n-2\n"};
        },
    .tests = "MatrixMarketTest.*",
    .words = {"%%MatrixMarket matrix coordinate ", "array", "pattern", "integer", "real",
              "symmetric", "skew-", "general", "nan", "-inf"},
});

}  // namespace
}  // namespace weir::firmware
