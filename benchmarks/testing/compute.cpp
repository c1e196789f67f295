// Much to compute, few atomics: a matrix product, sorting, a hash map, a parser.
#include <algorithm>
#include <atomic>
#include <cctype>
#include <random>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace {

constexpr int kSize = 160;
std::atomic<int> done{0};

void multiply(const std::vector<double>& a, const std::vector<double>& b, std::vector<double>& product, int first, int end) {
  for (int i = first; i < end; ++i)
    for (int j = 0; j < kSize; ++j) {
      double sum = 0;
      for (int k = 0; k < kSize; ++k) sum += a[i * kSize + k] * b[k * kSize + j];
      product[i * kSize + j] = sum;
    }
  done.fetch_add(1);
}

void sort_numbers(std::vector<int>& numbers) {
  std::mt19937 random(1);
  for (int& number : numbers) number = static_cast<int>(random());
  std::sort(numbers.begin(), numbers.end());
  done.fetch_add(1);
}

void count(std::unordered_map<int, int>& counts) {
  for (int i = 0; i < 200'000; ++i) counts[i * 7919 % 50021] += i;
  done.fetch_add(1);
}

long sum_of_numbers_in(const std::string& text) {
  long sum = 0, number = 0;
  int depth = 0;
  for (const char letter : text) {
    if (std::isdigit(static_cast<unsigned char>(letter)) != 0) {
      number = number * 10 + (letter - '0');
      continue;
    }
    sum += number;
    number = 0;
    depth += letter == '(' ? 1 : letter == ')' ? -1 : 0;
  }
  return sum + depth;
}

}  // namespace

int main() {
  const std::vector<double> a(kSize * kSize, 1.5), b(kSize * kSize, 2.5);
  std::vector<double> product(kSize * kSize);
  std::vector<int> numbers(200'000);
  std::unordered_map<int, int> counts;
  std::thread upper([&] { multiply(a, b, product, 0, kSize / 2); }), lower([&] { multiply(a, b, product, kSize / 2, kSize); });
  std::thread sorter([&] { sort_numbers(numbers); }), counter([&] { count(counts); });
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += "(" + std::to_string(i) + ") ";
  const long sum = sum_of_numbers_in(text);
  upper.join();
  lower.join();
  sorter.join();
  counter.join();
  const bool is_right = product[5] == 600 && std::is_sorted(numbers.begin(), numbers.end()) && counts.size() == 50021 && sum == 50'000L * 49'999 / 2;
  return is_right ? 0 : 1;
}
