// The members of _Sp_atomic, the same for both pointers: part of two classes in shared_ptr_atomic.h.

  using __block = decltype(value_type::_M_refcount._M_pi);

  constexpr _Sp_atomic() noexcept = default;
  explicit _Sp_atomic(value_type __value) noexcept
      : _M_pointer(reinterpret_cast<uintptr_t>(__value._M_ptr)), _M_block(reinterpret_cast<uintptr_t>(__value._M_refcount._M_pi)) {
    __value._M_refcount._M_pi = nullptr;
  }
  ~_Sp_atomic() {
    if (auto __owned = reinterpret_cast<__block>(_M_block.load(memory_order_relaxed))) __owned->ORDEAL_INSIDE_RELEASE();
  }
  _Sp_atomic(const _Sp_atomic&) = delete;
  void operator=(const _Sp_atomic&) = delete;

  struct __step {
    explicit __step(const _Sp_atomic* __object) noexcept : _M_object(__object) { ::__ordeal_begin_step(__object); }
    ~__step() { ::__ordeal_end_step(_M_object); }
    const _Sp_atomic* _M_object;
  };
  /// To the compiler: any value, which is used. It would make a load of a read-modify-write that adds 0, and a store of an exchange
  /// whose result nobody needs; these need not see, or be, the last.
  static uintptr_t _S_unknown(uintptr_t __value) noexcept {
    __asm__ volatile("" : "+r"(__value));
    return __value;
  }
  bool _M_holds(const value_type& __value, memory_order __order) const noexcept {
    return _M_block.fetch_add(_S_unknown(0), __order) == reinterpret_cast<uintptr_t>(__value._M_refcount._M_pi) &&
           _M_pointer.fetch_add(_S_unknown(0), memory_order_relaxed) == reinterpret_cast<uintptr_t>(__value._M_ptr);
  }
  /// Within a step.
  value_type _M_copy(memory_order __order) const noexcept {
    value_type __copy;
    __copy._M_refcount._M_pi = reinterpret_cast<__block>(_M_block.fetch_add(_S_unknown(0), __order));
    if (__copy._M_refcount._M_pi) __copy._M_refcount._M_pi->ORDEAL_INSIDE_ADD_REFERENCE();
    __copy._M_ptr = reinterpret_cast<decltype(__copy._M_ptr)>(_M_pointer.fetch_add(_S_unknown(0), memory_order_relaxed));
    return __copy;
  }
  void _M_exchange(value_type& __value, memory_order __order) noexcept {
    auto& __owned = __value._M_refcount._M_pi;
    __owned = reinterpret_cast<__block>(_S_unknown(_M_block.exchange(reinterpret_cast<uintptr_t>(__owned), __order)));
    __value._M_ptr = reinterpret_cast<decltype(__value._M_ptr)>(
        _S_unknown(_M_pointer.exchange(reinterpret_cast<uintptr_t>(__value._M_ptr), memory_order_relaxed)));
  }

  value_type load(memory_order __order) const noexcept {
    const __step __now(this);
    return _M_copy(__order);
  }
  void swap(value_type& __value, memory_order __order) noexcept {
    const __step __now(this);
    _M_exchange(__value, __order);
  }
  bool compare_exchange_strong(value_type& __expected, value_type __desired, memory_order __order, memory_order __failure) noexcept {
    value_type __seen;  // what it replaces, or what was expected, is released behind the step
    const __step __now(this);
    if (_M_holds(__expected, memory_order_relaxed)) {
      _M_exchange(__desired, __order);
      __seen = std::move(__desired);
      return true;
    }
    __seen = _M_copy(__failure);
    __seen.swap(__expected);
    return false;
  }

  void wait(value_type __old, memory_order __order) const noexcept {
    for (;;) {
      {
        const __step __now(this);
        if (!_M_holds(__old, __order)) return;
      }
      ::__ordeal_atomic_wait(&_M_block, sizeof _M_block, reinterpret_cast<uintptr_t>(__old._M_refcount._M_pi), __ATOMIC_RELAXED);
    }
  }
  void notify_one() noexcept { ::__ordeal_atomic_notify(&_M_block, 0); }
  void notify_all() noexcept { ::__ordeal_atomic_notify(&_M_block, 1); }

  mutable __atomic_base<uintptr_t> _M_pointer{0}, _M_block{0};
