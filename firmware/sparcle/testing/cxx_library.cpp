// The C++ library: containers, algorithms, streams, exceptions, and the order of constructors and
// destructors. The expected output is in the test
// (experiments/program_tests/cxx_library_run_test.cpp).
#include <algorithm>
#include <chrono>
#include <complex>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <vector>

namespace {

struct Named {
    explicit Named(const char* name) : name_(name) { std::printf("+%s\n", name_); }
    Named(const Named&) = delete;
    Named& operator=(const Named&) = delete;
    ~Named() { std::printf("-%s\n", name_); }
    const char* name_;
};

__attribute__((init_priority(300))) Named second("second");
__attribute__((init_priority(200))) Named first("first");
Named third("third");

__attribute__((destructor)) void run_last() { std::puts("last"); }

Named& local() {
    static Named once("local");
    return once;
}

struct Shape {
    virtual ~Shape() { std::cout << "~Shape "; }
    [[nodiscard]] virtual double area() const = 0;
};
struct Square final : Shape {
    explicit Square(double side) : side_(side) {}
    [[nodiscard]] double area() const override { return side_ * side_; }
    double side_;
};
struct Round final : virtual Shape {
    [[nodiscard]] double area() const override { return 3.0; }
};

void show_objects() {
    std::vector<std::unique_ptr<Shape>> shapes;
    shapes.push_back(std::make_unique<Square>(1.5));
    shapes.push_back(std::make_unique<Round>());
    for (const auto& shape : shapes) {
        std::cout << shape->area() << ' ' << (dynamic_cast<Square*>(shape.get()) != nullptr) << ' '
                  << (typeid(*shape) == typeid(Round)) << ' ';
    }
    shapes.clear();
    auto one = std::make_shared<std::string>("shared");
    const std::weak_ptr<std::string> observer = one;
    const auto other = one;
    std::cout << *other << other.use_count();
    one.reset();
    std::cout << observer.use_count() << '\n';
}

void show_containers() {
    std::map<std::string, int> counts;
    std::istringstream words("the cat and the dog and the bird");
    for (std::string word; words >> word;) {
        ++counts[word];
    }
    for (const auto& [word, count] : counts) {
        std::cout << word << '=' << count << ' ';
    }
    std::vector<int> numbers(100);
    std::iota(numbers.begin(), numbers.end(), 0);
    std::shuffle(numbers.begin(), numbers.end(), std::mt19937(5));
    std::sort(numbers.begin(), numbers.end(), [](int a, int b) { return a > b; });
    const std::function<int(int)> fibonacci = [&](int n) {
        return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
    };
    std::cout << numbers.front() << ' ' << std::accumulate(numbers.begin(), numbers.end(), 0) << ' '
              << fibonacci(12) << '\n';
}

void show_numbers() {
    std::cout << std::hex << std::showbase << 255 << std::dec << ' ' << std::setw(6)
              << std::setfill('*') << 42 << ' ' << std::fixed << std::setprecision(3) << 3.14159
              << ' ' << std::scientific << 12345.678 << std::defaultfloat << ' ' << 1e100 << ' '
              << -9223372036854775807LL << ' ' << std::boolalpha << true << '\n';
    std::istringstream in("12 3.5e2 -7x");
    int whole = 0;
    int negative = 0;
    double real = 0;
    in >> whole >> real >> negative;
    const std::complex<double> z(1, 2);
    std::mt19937_64 generator(7);
    std::uniform_int_distribution<int> dice(1, 6);
    std::cout << whole << ' ' << real << ' ' << negative << static_cast<char>(in.get()) << ' '
              << std::norm(z) << z * std::conj(z) << ' ' << dice(generator) << dice(generator)
              << dice(generator) << ' ' << std::stoi("41") + std::stod("1.5") << '\n';
}

int frames = 0;

struct Counted {
    Counted() { ++frames; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
    ~Counted() { frames -= 1000; }
};

// Deeper than the number of register windows. A double in each frame checks that frames which are
// left are intact.
double throw_below(int depth, double value) {
    const Counted frame;
    if (depth == 0) {
        throw std::runtime_error("from " + std::to_string(value));
    }
    return throw_below(depth - 1, value * 1.5) + value;
}

int caught_in(int number) {
    try {
        if (number % 3 == 0) {
            throw number;
        }
        return 1;
    } catch (int thrown) {
        return thrown;
    }
}

void show_exceptions() {
    const double before = std::stod("2.5");
    try {
        std::cout << throw_below(20, before) << '\n';
    } catch (const std::exception& caught) {
        std::cout << caught.what() << ' ' << before << ' ' << frames << '\n';
    }
    try {
        std::vector<int>(3).at(5) = 1;
    } catch (const std::out_of_range&) {
        std::cout << "out of range, ";
    }
    try {
        static_cast<void>(std::vector<char>(1U << 30U));
    } catch (const std::exception& caught) {
        std::cout << typeid(caught).name() << ", ";
    }
    int sum = 0;
    for (int number = 0; number < 100; ++number) {
        sum += caught_in(number);
    }
    try {
        try {
            throw 3;
        } catch (int) {
            throw;
        }
    } catch (int thrown) {
        std::cout << sum + thrown << '\n';
    }
}

void show_files() {
    {
        std::ofstream file("text.txt");
        file << "one 1\ntwo 2\n";
    }
    std::ifstream file("text.txt");
    for (std::string line; std::getline(file, line);) {
        std::cout << '[' << line << ']';
    }
    const auto begin = std::chrono::steady_clock::now();
    const auto end = std::chrono::steady_clock::now();
    std::string line;
    std::cout << file.eof() << std::ifstream("none").is_open() << ' ' << (end >= begin) << ' '
              << static_cast<bool>(std::getline(std::cin, line)) << '\n';
}

}  // namespace

int main() {
    static_cast<void>(std::atexit([] { std::puts("at exit"); }));
    local();
    show_objects();
    show_containers();
    show_numbers();
    show_exceptions();
    show_files();
    return 0;
}
