#pragma once

#include <memory>

#include "experiments/analyses/kernel_analysis.h"

namespace weir::experiments::analyses {

std::unique_ptr<KernelAnalysis> all_pairs_exchange_analysis();
std::unique_ptr<KernelAnalysis> boundary_exchange_analysis();
std::unique_ptr<KernelAnalysis> broadcast_analysis();
std::unique_ptr<KernelAnalysis> diamond_dag_analysis();
std::unique_ptr<KernelAnalysis> fft_analysis();
std::unique_ptr<KernelAnalysis> jacobi_analysis();
std::unique_ptr<KernelAnalysis> shared_latencies_analysis();
std::unique_ptr<KernelAnalysis> shared_reads_analysis();
std::unique_ptr<KernelAnalysis> lu_analysis();
std::unique_ptr<KernelAnalysis> memory_transfer_analysis();
std::unique_ptr<KernelAnalysis> multithread_analysis();
std::unique_ptr<KernelAnalysis> ping_analysis();
std::unique_ptr<KernelAnalysis> record_delivery_analysis();
std::unique_ptr<KernelAnalysis> remap_analysis();
std::unique_ptr<KernelAnalysis> spmv_analysis();
std::unique_ptr<KernelAnalysis> summation_analysis();

}  // namespace weir::experiments::analyses
