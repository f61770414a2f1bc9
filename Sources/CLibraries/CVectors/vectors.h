#pragma once
// Vector operations that compilers do not reliably generate. All operations use integers, so every
// processor returns the same results.
typedef short vectors_short8 __attribute__((ext_vector_type(8)));
typedef int vectors_int4 __attribute__((ext_vector_type(4)));
typedef unsigned int vectors_uint4 __attribute__((ext_vector_type(4)));

/// Returns, for each lane, the product of the lower halves plus the product of the upper halves.
static inline vectors_int4 vectors_pair_sums(vectors_uint4 a, vectors_uint4 b) {
  vectors_short8 x = (vectors_short8)a, y = (vectors_short8)b;
#ifdef __SSE2__
  return __builtin_ia32_pmaddwd128(x, y);
#else
  return __builtin_convertvector(x.even, vectors_int4) * __builtin_convertvector(y.even, vectors_int4) +
         __builtin_convertvector(x.odd, vectors_int4) * __builtin_convertvector(y.odd, vectors_int4);
#endif
}

/// Expands two four-byte pixels: each lane contains a byte of the first pixel in its lower
/// half, and a byte of the second pixel in its upper half.
static inline vectors_uint4 vectors_pair(unsigned long long pixels) {
  unsigned char bytes __attribute__((ext_vector_type(8)));
  __builtin_memcpy(&bytes, &pixels, sizeof bytes);
  vectors_short8 numbers = __builtin_convertvector(bytes, vectors_short8);
  return (vectors_uint4)__builtin_shufflevector(numbers, numbers, 0, 4, 1, 5, 2, 6, 3, 7);
}

typedef unsigned char vectors_uchar16 __attribute__((ext_vector_type(16)));

/// Converts four pixels of four numbers each to bytes, clamped to 0…255.
static inline vectors_uchar16 vectors_pixels(vectors_int4 a, vectors_int4 b, vectors_int4 c, vectors_int4 d) {
#ifdef __SSE2__
  return (vectors_uchar16)__builtin_ia32_packuswb128(
      __builtin_ia32_packssdw128(a, b), __builtin_ia32_packssdw128(c, d));
#else
  typedef int vectors_int16 __attribute__((ext_vector_type(16)));
  vectors_int16 all = __builtin_shufflevector(
      __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7), __builtin_shufflevector(c, d, 0, 1, 2, 3, 4, 5, 6, 7),
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  all = __builtin_elementwise_max(__builtin_elementwise_min(all, (vectors_int16)255), (vectors_int16)0);
  return __builtin_convertvector(all, vectors_uchar16);
#endif
}

/// Returns the absolute values of a PNG filter's residues, capped at 16.
static inline vectors_uchar16 vectors_cost(vectors_uchar16 x) {
  return __builtin_elementwise_min(__builtin_elementwise_min(x, -x), (vectors_uchar16)16);
}

/// Returns the mean of two bytes, rounded down.
static inline vectors_uchar16 vectors_mean(vectors_uchar16 a, vectors_uchar16 b) {
  return (a & b) + ((a ^ b) >> 1);
}

static inline vectors_uchar16 vectors_distance(vectors_uchar16 a, vectors_uchar16 b) {
  return __builtin_elementwise_sub_sat(a, b) | __builtin_elementwise_sub_sat(b, a);
}

/// Returns whichever of left, above and corner is nearest to left + above - corner.
static inline vectors_uchar16 vectors_paeth(
    vectors_uchar16 left, vectors_uchar16 above, vectors_uchar16 corner) {
  vectors_uchar16 to_left = vectors_distance(above, corner), to_above = vectors_distance(left, corner);
  // The corner can be nearest only if it is between the other two.
  vectors_uchar16 is_between = (vectors_uchar16)((left < corner) ^ (above < corner));
  vectors_uchar16 to_corner = vectors_distance(to_left, to_above) | ~is_between;
  vectors_uchar16 is_above = (vectors_uchar16)(to_above <= to_corner);
  vectors_uchar16 is_left = (vectors_uchar16)((to_left <= to_above) & (to_left <= to_corner));
  return (left & is_left) | (((above & is_above) | (corner & ~is_above)) & ~is_left);
}
