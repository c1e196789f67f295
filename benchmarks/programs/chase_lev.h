// The work-stealing deque of Chase and Lev with the memory orders of Lê, Pop, Cohen and Nardelli (PPoPP 2013), in the
// versions that CDSChecker (OOPSLA 2013), CDSSpec and AutoMO check. The owner pushes and takes at the bottom, thieves steal
// at the top; a full array is replaced by one of twice the size. Versions differ in the members of a struct of orders, and in
// that CDSSpec's deque has made the second array before.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <initializer_list>

constexpr int kEmpty = -1;  // there was nothing to take or to steal
constexpr int kAbort = -2;  // another thread was faster

// Nobody got what another one got.
inline bool all_differ(std::initializer_list<int> taken) {
  for (const int* a = taken.begin(); a != taken.end(); ++a)
    for (const int* b = taken.begin(); b != a; ++b)
      if (*a == *b && *a >= 0) return false;
  return true;
}

// As published, with the array handed over by relaxed operations: a thief can see the new array without what is in it.
struct PublishedOrders {
  static constexpr auto kPublishArray = std::memory_order_relaxed;
  static constexpr auto kStealArray = std::memory_order_relaxed;
  static constexpr auto kStealTop = std::memory_order_acquire;
  static constexpr auto kTakeLast = std::memory_order_seq_cst;
  static constexpr bool kSpareArray = false;
};

// CDSChecker's repair.
struct FixedOrders : PublishedOrders {
  static constexpr auto kPublishArray = std::memory_order_release;
  static constexpr auto kStealArray = std::memory_order_acquire;
};

// CDSSpec also weakens two orders that it found to be overly strong.
struct SpecOrders : FixedOrders {
  static constexpr auto kStealTop = std::memory_order_relaxed;
  static constexpr auto kTakeLast = std::memory_order_relaxed;
  static constexpr bool kSpareArray = true;
};

template <class Orders>
class ChaseLevDeque {
 public:
  explicit ChaseLevDeque(std::size_t size = 2, bool may_grow = true) {
    Array* array = make_array(size, nullptr);
    if (Orders::kSpareArray && may_grow) spare_ = make_spare(kSpareSize, array);
    array_.store(array, std::memory_order_relaxed);
    top_.store(0, std::memory_order_relaxed);
    bottom_.store(0, std::memory_order_relaxed);
  }
  ChaseLevDeque(const ChaseLevDeque&) = delete;
  ~ChaseLevDeque() {
    for (Array *array = newest_, *older; array != nullptr; array = older) {
      older = array->older;
      std::free(array);
    }
  }

  void push(int value) {
    const std::size_t bottom = bottom_.load(std::memory_order_relaxed), top = top_.load(std::memory_order_acquire);
    Array* array = array_.load(std::memory_order_relaxed);
    if (bottom - top > array->size.load(std::memory_order_relaxed) - 1) {
      resize();
      array = array_.load(std::memory_order_relaxed);
    }
    array->cell(bottom).store(value, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    bottom_.store(bottom + 1, std::memory_order_relaxed);
  }

  int take() {
    const std::size_t bottom = bottom_.load(std::memory_order_relaxed) - 1;
    Array* array = array_.load(std::memory_order_relaxed);
    bottom_.store(bottom, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    std::size_t top = top_.load(std::memory_order_relaxed);
    int value = kEmpty;
    if (top <= bottom) {
      value = array->cell(bottom).load(std::memory_order_relaxed);
      if (top != bottom) return value;
      if (!top_.compare_exchange_strong(top, top + 1, Orders::kTakeLast, std::memory_order_relaxed)) value = kEmpty;
    }
    bottom_.store(bottom + 1, std::memory_order_relaxed);
    return value;
  }

  int steal() {
    std::size_t top = top_.load(Orders::kStealTop);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    const std::size_t bottom = bottom_.load(std::memory_order_acquire);
    if (top >= bottom) return kEmpty;
    Array* array = array_.load(Orders::kStealArray);
    const int value = array->cell(top).load(std::memory_order_relaxed);
    const bool mine = top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst, std::memory_order_relaxed);
    return mine ? value : kAbort;
  }

 private:
  static constexpr std::size_t kSpareSize = 8;

  struct Array {  // memory that holds nothing at first but what make_array writes
    std::atomic<std::size_t> size;
    Array* older;
    std::atomic<int> cells[16];  // `size` of them are used

    std::atomic<int>& cell(std::size_t index) { return cells[index % size.load(std::memory_order_relaxed)]; }
  };

  Array* make_array(std::size_t size, Array* older) {
    auto* array = static_cast<Array*>(std::malloc(sizeof(Array)));
    array->older = older;
    array->size.store(size, std::memory_order_relaxed);
    return newest_ = array;
  }

  Array* make_spare(std::size_t size, Array* older) {
    Array* array = make_array(size, older);
    for (std::size_t i = 0; i < size; ++i) array->cells[i].store(0, std::memory_order_relaxed);
    return array;
  }

  void resize() {
    Array* array = array_.load(std::memory_order_relaxed);
    const std::size_t size = array->size.load(std::memory_order_relaxed);
    Array* larger = Orders::kSpareArray ? spare_ : make_array(2 * size, array);
    const std::size_t larger_size = Orders::kSpareArray ? kSpareSize : 2 * size;
    const std::size_t top = top_.load(std::memory_order_relaxed), bottom = bottom_.load(std::memory_order_relaxed);
    for (std::size_t i = top; i < bottom; ++i)
      larger->cells[i % larger_size].store(array->cells[i % size].load(std::memory_order_relaxed),
                                           std::memory_order_relaxed);
    array_.store(larger, Orders::kPublishArray);
  }

  std::atomic<Array*> array_;
  std::atomic<std::size_t> top_, bottom_;
  Array* newest_ = nullptr;  // the owner's list of arrays
  Array* spare_ = nullptr;
};
