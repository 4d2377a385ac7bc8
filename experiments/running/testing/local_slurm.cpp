#include "experiments/running/testing/local_slurm.h"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <random>
#include <thread>

namespace weir::experiments::running {

namespace {

namespace fs = std::filesystem;

constexpr const char* kConfiguration = R"(ClusterName=weir
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
SlurmctldPort={port}
SlurmdPort={next_port}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
MinJobAge=300
SchedulerParameters=sched_interval=1,batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
)";

std::string host_name() {
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    const std::string whole = name.data();
    return whole.substr(0, whole.find('.'));
}

bool is_installed(const std::string& program) {
    return std::system(
               fmt::format("PATH=$PATH:/usr/sbin command -v {} > /dev/null", program).c_str()) == 0;
}

std::string text_in(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace

LocalSlurm::~LocalSlurm() {
    for (const char* daemon : {"slurmd", "slurmctld", "munged"}) {
        const int process = std::atoi(text_in(folder_ / (daemon + std::string(".pid"))).c_str());
        for (int tries = 0; process > 0 && kill(process, SIGTERM) == 0 && tries < 100; ++tries) {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
    }
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

void LocalSlurm::write_configuration() const {
    std::random_device random;
    {
        std::ofstream key(folder_ / "munge.key", std::ios::binary);
        for (int i = 0; i < 1024; ++i) {
            key.put(static_cast<char>(random()));
        }
    }
    fs::permissions(folder_ / "munge.key", fs::perms::owner_read);
    constexpr unsigned kFirstPort = 20000;
    constexpr unsigned kPorts = 20000;
    const unsigned port = kFirstPort + 2 * (random() % (kPorts / 2));
    const passwd* user = getpwuid(getuid());
    std::ofstream(folder_ / "slurm.conf")
        << fmt::format(kConfiguration, fmt::arg("host", host_name()),
                       fmt::arg("user", user != nullptr ? user->pw_name : "root"),
                       fmt::arg("folder", folder_.string()), fmt::arg("port", port),
                       fmt::arg("next_port", port + 1));
}

std::string LocalSlurm::start_daemon(const std::string& command) const {
    const std::string log = (folder_ / "start.log").string();
    const std::string line = fmt::format("PATH=$PATH:/usr/sbin {} > {} 2>&1", command, log);
    return std::system(line.c_str()) == 0 ? "" : command + ": " + text_in(log);
}

bool LocalSlurm::is_up() const {
    return std::system("sinfo --noheader --format=%T 2> /dev/null | grep --quiet idle") == 0;
}

std::string LocalSlurm::start() {
    for (const char* program : {"munged", "slurmctld", "slurmd", "sbatch"}) {
        if (!is_installed(program)) {
            return std::string(program) + " is not installed (munge, slurm-wlm)";
        }
    }
    fs::create_directories(folder_);
    fs::create_directory(folder_ / "state");
    fs::create_directory(folder_ / "spool");
    write_configuration();
    const std::string configuration = (folder_ / "slurm.conf").string();
    setenv("SLURM_CONF", configuration.c_str(), 1);
    const std::string munged = fmt::format(
        "munged --force --key-file={0}/munge.key --socket={0}/munge.socket "
        "--pid-file={0}/munged.pid --log-file={0}/munged.log --seed-file={0}/munge.seed",
        folder_.string());
    for (const std::string& command :
         {munged, "slurmctld -f " + configuration, "slurmd -f " + configuration}) {
        std::string trouble = start_daemon(command);
        if (!trouble.empty()) {
            return trouble;
        }
    }
    for (int tries = 0; tries < 200; ++tries) {
        if (is_up()) {
            return "";
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return "no node has come up: " + text_in(folder_ / "slurmd.log");
}

}  // namespace weir::experiments::running
