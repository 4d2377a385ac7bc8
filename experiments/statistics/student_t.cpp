#include "experiments/statistics/student_t.h"

#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

namespace weir::experiments::statistics {

namespace {

// Computes in double rather than long double, whose tables are initialised at program start in a
// way that valgrind does not support.
using InDouble = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

}  // namespace

double student_t(double degrees_of_freedom) {
    const boost::math::students_t_distribution<double, InDouble> distribution(degrees_of_freedom);
    return boost::math::quantile(distribution, (1.0 + kConfidence) / 2.0);
}

double fisher_f(double above, double below) {
    return boost::math::quantile(boost::math::fisher_f_distribution<double, InDouble>(above, below),
                                 kConfidence);
}

double normal_quantile(double probability) {
    return boost::math::quantile(boost::math::normal_distribution<double, InDouble>(), probability);
}

}  // namespace weir::experiments::statistics
