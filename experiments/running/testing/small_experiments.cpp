#include "experiments/running/testing/small_experiments.h"

namespace weir::experiments::running {

namespace {

const std::string kTwoNodes = "machine.nodes = 2\nnetwork.dimensions = [2, 1]\n";
const std::string kFourNodes = "machine.nodes = 4\nnetwork.dimensions = [2, 2]\n";
const std::string kEightNodes = "machine.nodes = 8\nnetwork.dimensions = [4, 2]\n";

/// A kernel with these parameters.
std::string workload(const std::string& kernel, const std::string& parameters) {
    return "[workload]\nkernel = \"" + kernel + "\"\n" + parameters;
}

const std::string kRequests = workload("remap", R"(iterations = 4
argument_words = 4
)");
const std::string kMessages = workload("remap", R"(style = "asynchronous"
destinations = "ascending"
iterations = 8
argument_words = 4
)");
const std::string kBodies = workload("remap", R"(style = "asynchronous"
destinations = "ascending"
iterations = 3
body_bytes = 256
)");
const std::string kSixteenRows = "rows = 16\nnonzeros = 48\n";
const std::string kRows = workload("spmv", kSixteenRows);
const std::string kThreads = workload("multithread", R"(reads = 4
)");
const std::string kChunks = workload("workpile", R"(servers = 1
chunks = 6
)");
const std::string kDag = workload("diamond-dag", R"(tasks_per_side = 8
blocks = 2
)");

/// All nodes send to one node after the other, through queues of 64 bytes.
const std::string kFullQueues = kFourNodes + R"(controller.output_queue_bytes = 64
controller.input_queue_bytes = 64
controller.overflow_trap = true
controller.overflow_timeout_cycles = 32
)" + kBodies;

const std::string kPackets = R"(workload.kernel = "open-loop"
[traffic]
load = 0.4
warm_up_cycles = 50
measurement_cycles = 100
)";
const std::string kTraffic = "network.dimensions = [4, 4]\n" + kPackets;

std::string copies(const std::string& kernel) {
    return workload(kernel, R"(sizes_bytes = [64, 512]
strides_bytes = [8, 24]
repetitions = 2
)");
}
/// Arrays that do not fit into the caches, with several concurrent misses.
const std::string kMisses = kTwoNodes + R"(memory.caches = 4
l1 = { bytes = 64, ways = 2, store_misses_wait = false }
l2 = { bytes = 128, ways = 1, line_bytes = 32 }
l3 = { bytes = 256, ways = 1, line_bytes = 64 }
l4 = { bytes = 512, ways = 1, line_bytes = 128 }
)" + copies("memcpy");
/// Similar arrays with prefetched lines and slow cache levels.
const std::string kSlowCaches = kTwoNodes + R"(memory.caches = 4
l1 = { bytes = 64, prefetch_next_line = true }
l2 = { bytes = 128, ways = 1, busy_cycles = 100 }
l3 = { bytes = 256, ways = 1, busy_cycles = 100 }
l4 = { bytes = 512, ways = 1, busy_cycles = 100 }
)" + copies("memcpy");

const std::string kCompiled = kTwoNodes + "core.kind = \"sparcle\"\n";
/// An instruction of each class, and a loop whose length is an argument.
const std::string kInstructions =
    kCompiled + workload("image", "image = \"{images}/instruction_classes.elf\"\n");
/// A program with fault `number` of firmware/sparcle/testing/faults.c.
SmallExperiment with_fault(int number) {
    return {kCompiled + workload("image", "image = \"{images}/faults.elf\"\narguments = [" +
                                              std::to_string(number) + "]\n"),
            true};
}
/// A program that reads the experiment's work.txt from its host.
const std::string kHostCalls =
    kCompiled + workload("image", "image = \"{images}/host_calls.elf\"\n");

/// Experiments with messages: most parameters of a machine change a result in one of them.
std::vector<SmallExperiment> of_messages() {
    const std::string barrier = "network.barrier = true\n";
    return {{kFourNodes + kRequests},
            {kFourNodes + kMessages},
            {kFourNodes + kBodies},
            {kEightNodes + barrier + kRequests + "work_cycles = 50\nhandler_work_cycles = 20\n"},
            {kFourNodes + barrier + kRequests + "barrier_messages = 2\n"},
            {kFourNodes + workload("remap", "iterations = 100\n")}};
}

std::vector<SmallExperiment> of_networks() {
    return {
        {kTraffic},
        {"network.virtual_channels = 2\n" + kTraffic},
        {"network.routing = \"minimal_adaptive\"\n" + kTraffic},
        {"network.buffer_flits = 16\n" + kTraffic},
        {kTraffic + "pattern = \"hot_spot\"\nhot_spot_nodes = [0, 5]\nhot_spot_share = 0.5\n"},
        {R"(network.dimensions = [4, 4]
workload.kernel = "open-loop"
[traffic]
pattern = "trace"
trace_file = "packets.csv"
warm_up_cycles = 50
measurement_cycles = 100
)"},
        {R"(network.dimensions = [4, 4]
workload.kernel = "open-loop"
[traffic]
pattern = "recording"
recording = "recording.txt"
)"},
        {R"(network.topology = "dragonfly"
network.dimensions = [1, 2, 3]
)" + kPackets},
        {R"(network.topology = "dragonfly"
network.dimensions = [2, 2, 5]
network.routing = "ugal"
workload.kernel = "open-loop"
traffic.pattern = "next_group"
traffic.load = 0.5
traffic.measurement_cycles = 200
)"},
        {R"(network.dimensions = [4, 4]
workload.kernel = "open-loop"
[traffic]
pattern = "table"
table_file = "pairs.txt"
warm_up_cycles = 50
measurement_cycles = 100
)"},
        {R"(network.topology = "torus"
network.dimensions = [8]
network.virtual_channels = 1
network.allow_deadlock = true
)" + kPackets},
        {R"(network.dimensions = [2, 2]
workload.kernel = "open-loop"
traffic.pattern = "one_at_a_time"
)"},
        {R"(machine.nodes = 4
network.topology = "graph"
network.graph_file = "ring.dot"
)" + kRequests},
        {kFourNodes + "network.topology = \"torus\"\n" + kRequests},
        {kFourNodes + "network.buffer_flits = 1\n" + kRequests},
        {kFourNodes + "network.model = \"logp\"\nnetwork.logp_latency_cycles = 100_000\n" +
         kRequests},
    };
}

std::vector<SmallExperiment> of_nodes() {
    return {
        {kFullQueues},
        {kFourNodes + "controller.output_queue_bytes = 64\n" + kMessages},
        {kFourNodes + "memory_port.access_cycles = 10\nmemory_port.row_bytes = 512\n" + kBodies},
        {kTwoNodes + kThreads},
        {kTwoNodes + "core.contexts = 2\n" + kThreads + "threads = 2\n"},
        {kCompiled + "core.contexts = 2\n" + kThreads + "threads = 2\n"},
        {kInstructions, true},
        {kInstructions + "[memory]\ncaches = 1\n", true},
        {kHostCalls, true},
        with_fault(5),
        with_fault(6),
        with_fault(7),
        with_fault(8),
        with_fault(9),
        {kCompiled + "memory.caches = 1\n" +
             workload("image",
                      "image = \"{images}/sharing_faults.elf\"\narguments = [1]\nshares_memory = "
                      "true\n"),
         true},
    };
}

std::vector<SmallExperiment> of_memories() {
    std::vector<SmallExperiment> all{
        {kTwoNodes + kRows},
        {kMisses},
        {kSlowCaches},
        {kTwoNodes + R"(memory.caches = 1
memory_port.access_cycles = 30
l1 = { bytes = 64, store_misses_wait = false }
)" + copies("memcpy")},
        {kTwoNodes + R"(memory.caches = 1
tlb = { entries = 4, ways = 2, page_bytes = 64 }
)" + copies("memcpy")},
        {kTwoNodes + "memory.caches = 1\nmemory.bytes = 8192\n" + copies("memcpy")},
        {kTwoNodes + "memory.caches = 1\n" + workload("jacobi", "grid = 4\nmessages = \"long\"\n")},
        {kCompiled + R"(memory = { caches = 1, instruction_cache = true }
l1i = { bytes = 64, miss_registers = 1, prefetch_next_line = true }
)" + kRequests},
    };
    for (const std::string kernel : {"memcpy", "pack", "unpack"}) {
        all.push_back({kTwoNodes + copies(kernel)});
        all.push_back({kTwoNodes + "memory.caches = 1\n" + copies(kernel)});
        all.push_back({kTwoNodes + "memory.bytes = 8192\n" + workload(kernel, R"(
sizes_bytes = [64, 4096]
strides_bytes = [8, 24]
leave_out_what_does_not_fit = true
)")});
    }
    return all;
}

std::vector<SmallExperiment> of_runs() {
    const std::string precise = "run.relative_precision = 0.000_1\n";
    return {
        {kFourNodes + precise + "run.most_lengthening = 2\n" + kRequests},
        {kTwoNodes + precise + "run.most_seeds = 5\n" + kRows},
        {kFourNodes + "recorded.trace = \"{recorded}\"\n" + kRequests},
        {kFourNodes + "network.hop_cycles = 20\n" + workload("replay", "trace = \"{recorded}\"\n")},
    };
}

std::vector<SmallExperiment> of_kernels() {
    const std::string barrier = "network.barrier = true\n";
    return {
        {kTwoNodes + workload("ping", "argument_words = [2]\n")},
        {kFourNodes + workload("flood", "messages = 4\n")},
        {kFourNodes + barrier + workload("all-pairs", "rounds = 2\n")},
        {kFourNodes + workload("body-ping", "body_bytes = [8, 64]\n")},
        {kFourNodes + kDag},
        {kTwoNodes + kDag},
        {kFourNodes + workload("boundary-exchange", "block = 4\nsteps = 2\n")},
        {kTwoNodes + workload("jacobi", "grid = 4\niterations = 2\n")},
        {kEightNodes + workload("broadcast", "")},
        {kEightNodes + workload("summation", "")},
        {kEightNodes + workload("em3d", R"(graph_nodes = 32
degree = 3
span = 1
iterations = 1
block_values = 2
)")},
        {kFourNodes + workload("fft", "points = 16\n")},
        {kFourNodes + barrier + workload("fft", "points = 32\n")},
        {kFourNodes + workload("message-lock", "acquisitions = 3\n")},
        {kFourNodes + workload("radix-sort", R"(keys = 32
key_bits = 4
radix_bits = 2
)")},
        {kFourNodes + workload("sample-sort", "keys = 32\nsamples = 2\n")},
        {kFourNodes + workload("goal", "schedule = \"two.goal\"\n")},
        {kFourNodes + kChunks},
        {kFourNodes + kChunks + "work = \"file\"\nwork_file = \"work.txt\"\n"},
        {kFourNodes + workload("lu", "rows = 6\n")},
        {kFourNodes + workload("pointer-chase", R"(requests = 3
visits_per_request = 2
elements = 8
)")},
        {kFourNodes + workload("hot-spot", "records = 4\n")},
        {kEightNodes + workload("producer-consumer", "records = 4\nconsumers = 2\n")},
    };
}

std::vector<SmallExperiment> of_shared_memory() {
    const std::string shared = kEightNodes + "memory.caches = 1\n";
    const std::string lock = workload("shared-lock", "acquisitions = 3\n");
    const std::string queue_lock =
        workload("shared-lock", "acquisitions = 3\nlock = \"queue\"\nthreads = ");
    const std::string threads = shared + "core.contexts = 4\nl1.bytes = 64\n" + queue_lock + "4\n";
    const std::string jacobi = workload("shared-jacobi", "grid = 8\niterations = 2\n");
    return {
        {shared + lock},
        {shared + jacobi},
        {shared + jacobi + "placement = \"spread\"\n"},
        {shared + workload("shared-jacobi", "grid = 64\niterations = 1\n")},
        {shared + "coherence.fetch_and_op = true\n" + lock},
        {shared + "coherence.fetch_and_op = true\n" +
         workload("shared-lock", "acquisitions = 3\nmethod = \"fetch_and_add\"\n")},
        {shared + "coherence.pointers = 1\n" + lock},
        {threads},
        {threads + "[run]\nmost_cycles = 200_000\n"},
        // Two nodes take a line from each other, unused, until one of their threads counts as
        // starved.
        {kTwoNodes + "memory.caches = 1\ncoherence.thrashlock = false\ncore.contexts = 2\n" +
         queue_lock + "2\n[run]\nmost_cycles = 300_000\n"},
        {shared + "core.kind = \"sparcle\"\n" + lock},
        {shared + workload("shared-reads", "reads = 8\n")},
        {shared +
         workload("shared-em3d", "graph_nodes = 32\ndegree = 3\nspan = 1\niterations = 1\n")},
        {shared + workload("shared-spmv", kSixteenRows)},
        {shared + workload("shared-radix-sort", R"(keys = 64
key_bits = 4
radix_bits = 2
)")},
        {shared + workload("shared-lu", "rows = 8\n")},
        {shared + workload("shared-wavefront", "grid = 8\n")},
        {shared + workload("shared-wavefront", "grid = 8\nsynchronization = \"barrier\"\n")},
        {shared + workload("meetings", "meetings = 3\nbarrier = \"shared_tree\"\n")},
        {shared + workload("shared-latencies", "rounds = 1\n")},
    };
}

}  // namespace

const std::vector<SmallExperiment>& small_experiments() {
    static const std::vector<SmallExperiment> all = [] {
        std::vector<SmallExperiment> experiments;
        for (const auto& part : {of_messages(), of_networks(), of_nodes(), of_memories(),
                                 of_kernels(), of_shared_memory(), of_runs()}) {
            experiments.insert(experiments.end(), part.begin(), part.end());
        }
        return experiments;
    }();
    return all;
}

const std::vector<SmallFile>& small_files() {
    static const std::vector<SmallFile> all{
        {"ring.dot", "graph { a -- b; b -- c; c -- d; d -- a; }"},
        {"line.dot", "graph { a -- b; b -- c; c -- d; }"},
        {"packets.csv", "cycle,source,destination,bytes\n60,0,5,16\n70,5,0,2\n"},
        {"pairs.txt", "0 5 0.2\n5 0\n"},
        {"other_pairs.txt", "0 15 0.2\n5 0\n"},
        {"recording.txt", "0 0 5 16 27\n0 5 0 2 9\n"},
        {"other_recording.txt", "0 0 5 16 28\n1 5 0 2 9\n"},
        {"other_packets.csv", "cycle,source,destination,bytes\n60,0,15,16\n70,5,0,2\n"},
        {"four_rows.mtx",
         "%%MatrixMarket matrix coordinate real general\n4 4 3\n1 1 0.5\n2 3 -1e3\n3 4 2.25\n"},
        {"four_letters.fasta", ">four letters\nACGT\n"},
        {"two.goal",
         "num_ranks 2\nrank 0 {\nsend 16b to 1\nsend 16b to 1\n}\n"
         "rank 1 {\nrecv 16b from 0\nrecv 16b from 0\n}\n"},
        {"other.goal", "num_ranks 2\nrank 0 {\nsend 64b to 1\n}\nrank 1 {\nrecv 64b from 0\n}\n"},
        {"work.txt", "100\n200\n"},
        {"other_work.txt", "100\n300\n"},
    };
    return all;
}

}  // namespace weir::experiments::running
