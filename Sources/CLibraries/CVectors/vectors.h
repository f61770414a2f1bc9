#pragma once
// Operations on vectors that a compiler finds only now and then. All are of whole numbers: equal on
// every processor.
typedef short vectors_short8 __attribute__((ext_vector_type(8)));
typedef int vectors_int4 __attribute__((ext_vector_type(4)));
typedef unsigned int vectors_uint4 __attribute__((ext_vector_type(4)));

/// Each lane is the sum of two products of 16-bit numbers, of its lower and of its upper halves.
static inline vectors_int4 vectors_pair_sums(vectors_uint4 a, vectors_uint4 b) {
  vectors_short8 x = (vectors_short8)a, y = (vectors_short8)b;
#ifdef __SSE2__
  return __builtin_ia32_pmaddwd128(x, y);
#else
  return __builtin_convertvector(x.even, vectors_int4) * __builtin_convertvector(y.even, vectors_int4) +
         __builtin_convertvector(x.odd, vectors_int4) * __builtin_convertvector(y.odd, vectors_int4);
#endif
}

/// Two pixels of four bytes; each lane has a byte of the first in its lower half, of the second in its
/// upper half.
static inline vectors_uint4 vectors_pair(unsigned long long pixels) {
  unsigned char bytes __attribute__((ext_vector_type(8)));
  __builtin_memcpy(&bytes, &pixels, sizeof bytes);
  vectors_short8 numbers = __builtin_convertvector(bytes, vectors_short8);
  return (vectors_uint4)__builtin_shufflevector(numbers, numbers, 0, 4, 1, 5, 2, 6, 3, 7);
}
