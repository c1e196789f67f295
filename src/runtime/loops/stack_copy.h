// A copy of a part of a thread's stack. Steps are copied often (milestones.h) and their stacks seldom change: copies share the bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <utility>

namespace ordeal::runtime {

/// REQUIRES: one thread of the system uses all copies.
class StackCopy {
 public:
  StackCopy() = default;
  StackCopy(const StackCopy& other) : bytes_(other.bytes_) {
    if (bytes_ != nullptr) ++bytes_->references;
  }
  StackCopy(StackCopy&& other) noexcept : bytes_(std::exchange(other.bytes_, nullptr)) {}
  StackCopy& operator=(StackCopy other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~StackCopy() { release(); }

  std::size_t size() const { return bytes_ == nullptr ? 0 : bytes_->size; }
  const unsigned char* data() const { return bytes_ == nullptr ? nullptr : begin(); }
  unsigned char operator[](std::size_t i) const { return begin()[i]; }
  bool operator==(const StackCopy& other) const {
    if (bytes_ == other.bytes_) return true;
    return size() == other.size() && (size() == 0 || std::memcmp(data(), other.data(), size()) == 0);
  }

  void assign(const unsigned char* from, std::size_t size) {
    make_room(size);
    if (size != 0) std::memcpy(begin(), from, size);
  }
  void clear() { assign(nullptr, 0); }
  /// To be changed: from here on the bytes are this one's own.
  unsigned char* own_data() {
    if (bytes_ != nullptr && bytes_->references > 1) {
      StackCopy own;
      own.assign(data(), size());
      std::swap(bytes_, own.bytes_);
    }
    return bytes_ == nullptr ? nullptr : begin();
  }

 private:
  struct Bytes {
    std::size_t references, size, capacity;
  };
  unsigned char* begin() const { return reinterpret_cast<unsigned char*>(bytes_ + 1); }
  void make_room(std::size_t size) {
    if (bytes_ == nullptr || bytes_->references > 1 || bytes_->capacity < size) {
      release();
      const std::size_t capacity = std::max<std::size_t>(size, 256);
      bytes_ = new (::operator new(sizeof(Bytes) + capacity)) Bytes{1, 0, capacity};
    }
    bytes_->size = size;
  }
  void release() {
    if (bytes_ != nullptr && --bytes_->references == 0) ::operator delete(bytes_);
    bytes_ = nullptr;
  }

  Bytes* bytes_ = nullptr;
};

}  // namespace ordeal::runtime
