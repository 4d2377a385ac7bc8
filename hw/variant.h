#pragma once

#include <type_traits>
#include <utility>
#include <variant>

namespace weir::hw {

/// A std::variant of numbers, texts and vectors that stays valid when a copy is refused memory.
/// libstdc++ 12 assumes that such a variant is never valueless, and destroys the failed copy as if
/// it were complete. This class copies in place instead.
template <class... Alternatives>
class Variant : public std::variant<Alternatives...> {
    using Base = std::variant<Alternatives...>;

  public:
    using Base::Base;
    using Base::operator=;
    Variant() = default;
    Variant(const Variant& other) : Base(copy_of(other)) {}
    Variant(Variant&&) noexcept = default;
    Variant& operator=(const Variant& other) { return *this = Variant(other); }
    Variant& operator=(Variant&&) noexcept = default;
    ~Variant() = default;

  private:
    static Base copy_of(const Base& other) {
        return std::visit(
            [](const auto& held) {
                return Base(std::in_place_type<std::remove_cvref_t<decltype(held)>>, held);
            },
            other);
    }
};

}  // namespace weir::hw
