/* Vectors as wide as this processor has them, and ways of storing them. A loop is given twice, for an element and for a
 * vector of them, and runs as the compiler likes it, in vectors, or in vectors that are stored past the caches. */
#include <stdint.h>
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__)
#define WIDTH 64
#elif defined(__AVX2__)
#define WIDTH 32
#else
#define WIDTH 16
#endif

/* The compiler may think that a value has become another one here: it neither fuses nor spares what depends on it. */
#ifdef __AVX512F__
#define CHANGED(x) __asm__ volatile("" : "+v"(x))
#elif defined(__x86_64__)
#define CHANGED(x) __asm__ volatile("" : "+x"(x))
#elif defined(__aarch64__)
#define CHANGED(x) __asm__ volatile("" : "+w"(x))
#else
#define CHANGED(x) __asm__ volatile("" : "+m"(x))
#endif

enum { COMPILED, VECTORS, STREAMED, WAYS };
static int way;

#define LANES(T) ((long)(WIDTH / sizeof(T)))
#define UNALIGNED aligned(1), may_alias

/* A vector of each type, and its load. Those of elements that meet wider ones have as many elements as the wider. */
#define VECTOR(NAME, T, BYTES)                                      \
  typedef T NAME __attribute__((vector_size(BYTES), UNALIGNED));    \
  static inline NAME load_##NAME(const void *p) { return *(const NAME *)p; }
VECTOR(floats, float, WIDTH)
VECTOR(doubles, double, WIDTH)
VECTOR(bytes, int8_t, WIDTH)
VECTOR(words, int32_t, WIDTH)
VECTOR(unsigned_words, uint32_t, WIDTH)
VECTOR(longs, uint64_t, WIDTH)
VECTOR(few_bytes, uint8_t, WIDTH / 4)
VECTOR(few_halves, uint16_t, WIDTH / 2)

#define V(p, k)                                                                                          \
  _Generic((p) + 0, const float *: load_floats, const double *: load_doubles, const int8_t *: load_bytes, \
      const uint64_t *: load_longs, const uint8_t *: load_few_bytes, const uint16_t *: load_few_halves)((p) + (k))

static inline void keep(void *to, const void *from, int size) { memcpy(to, from, size); }

/* The address is a multiple of the size. */
static inline __attribute__((always_inline)) void stream(void *to, const void *from, int size) {
#if WIDTH == 64
  if (size == 64) return _mm512_stream_si512(to, _mm512_loadu_si512(from));
#endif
#if WIDTH >= 32
  if (size == 32) return _mm256_stream_si256(to, _mm256_loadu_si256(from));
#endif
#ifdef __x86_64__
  if (size == 16) return _mm_stream_si128(to, _mm_loadu_si128(from));
#endif
  memcpy(to, from, size);
}

/* What was streamed is seen before anything that is stored later. */
static inline void settle(void) {
#ifdef __x86_64__
  _mm_sfence();
#endif
}

/* o[k] for every k of the m elements from `begin` on; j counts from the begin. */
#define ALONG(BEGIN, M, o, LANES, PUT, ONE, MANY)                                                              \
  {                                                                                                            \
    long begin_ = (BEGIN), j = 0, m_ = (M), size_ = (LANES) * (long)sizeof *(o);                               \
    for (long k = begin_; j < m_ && (uintptr_t)((o) + k) % size_ != 0; j++, k++) (o)[k] = (ONE);               \
    for (long k = begin_ + j; j + (LANES) <= m_; j += (LANES), k += (LANES)) {                                 \
      __typeof__(MANY) many_ = (MANY);                                                                         \
      PUT((o) + k, &many_, sizeof many_);                                                                      \
    }                                                                                                          \
    for (long k = begin_ + j; j < m_; j++, k++) (o)[k] = (ONE);                                                \
  }

/* n rows of m elements each. */
#define ROWS(n, m, o, LANES, ONE, MANY)                                                                          \
  if (way == COMPILED) {                                                                                         \
    PARALLEL for (long i = 0; i < (n); i++) for (long j = 0; j < (m); j++) {                                     \
      long k = i * (m) + j;                                                                                      \
      (o)[k] = (ONE);                                                                                            \
    }                                                                                                            \
  } else if (way == VECTORS) {                                                                                   \
    PARALLEL for (long i = 0; i < (n); i++) ALONG(i * (m), m, o, LANES, keep, ONE, MANY)                         \
  } else {                                                                                                       \
    PARALLEL for (long i = 0; i < (n); i++) ALONG(i * (m), m, o, LANES, stream, ONE, MANY)                       \
  }

/* n elements in blocks that threads can share. */
#define BLOCK 12288
#define BLOCKS(n, o, LANES, ONE, MANY)                                                                           \
  if (way == COMPILED) {                                                                                         \
    PARALLEL for (long k = 0; k < (n); k++) (o)[k] = (ONE);                                                      \
  } else {                                                                                                       \
    PARALLEL for (long i = 0; i < ((n) + BLOCK - 1) / BLOCK; i++) {                                              \
      long b_ = i * BLOCK, left_ = (n) - b_ < BLOCK ? (n) - b_ : BLOCK;                                          \
      if (way == VECTORS) ALONG(b_, left_, o, LANES, keep, ONE, MANY)                                            \
      else ALONG(b_, left_, o, LANES, stream, ONE, MANY)                                                         \
    }                                                                                                            \
  }

static inline float larger(float a, float b) { return a > b ? a : b; }
static inline floats larger_floats(floats a, floats b) {
  words first = (words)(a > b);
  return (floats)(((words)a & first) | ((words)b & ~first));
}

/* The compiler's own conversions between widths go element by element. */
#if WIDTH == 64
static inline words from_bytes(few_bytes x) { return (words)_mm512_cvtepu8_epi32((__m128i)x); }
static inline few_bytes to_bytes(words x) { return (few_bytes)_mm512_cvtepi32_epi8((__m512i)x); }
static inline unsigned_words from_halves(few_halves x) { return (unsigned_words)_mm512_cvtepu16_epi32((__m256i)x); }
static inline few_halves to_halves(unsigned_words x) { return (few_halves)_mm512_cvtepi32_epi16((__m512i)x); }
#else
static inline words from_bytes(few_bytes x) { return __builtin_convertvector(x, words); }
static inline few_bytes to_bytes(words x) { return __builtin_convertvector(x, few_bytes); }
static inline unsigned_words from_halves(few_halves x) { return __builtin_convertvector(x, unsigned_words); }
static inline few_halves to_halves(unsigned_words x) { return __builtin_convertvector(x, few_halves); }
#endif

static inline floats chosen(few_bytes c, floats x, floats y) {
  /* A load of its own is faster than one under a mask. */
  CHANGED(x);
  words first = from_bytes(c) != 0;
  return (floats)(((words)x & first) | ((words)y & ~first));
}

/* Every other of twice as many elements. */
static inline floats evens(const float *p) {
  floats a = load_floats(p), b = load_floats(p + LANES(float));
#if WIDTH == 64
  return __builtin_shuffle(a, b, (words){0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30});
#elif WIDTH == 32
  return __builtin_shuffle(a, b, (words){0, 2, 4, 6, 8, 10, 12, 14});
#else
  return __builtin_shuffle(a, b, (words){0, 2, 4, 6});
#endif
}

/* 16-bit floats; none of those that are added is infinite or no number. */
static inline float from_bfloat16(uint16_t x) {
  uint32_t bits = (uint32_t)x << 16;
  float value;
  memcpy(&value, &bits, 4);
  return value;
}
static inline uint16_t to_bfloat16(float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}
static inline floats from_bfloat16s(few_halves x) {
  return (floats)(from_halves(x) << 16);
}
static inline few_halves to_bfloat16s(floats x) {
  unsigned_words bits = (unsigned_words)x;
  return to_halves((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

#ifdef __F16C__
static inline float from_float16(uint16_t x) { return _cvtsh_ss(x); }
static inline uint16_t to_float16(float x) { return _cvtss_sh(x, 0); }
#if WIDTH == 64
static inline floats from_float16s(few_halves x) { return (floats)_mm512_cvtph_ps((__m256i)x); }
static inline few_halves to_float16s(floats x) { return (few_halves)_mm512_cvtps_ph((__m512)x, 0); }
#elif WIDTH == 32
static inline floats from_float16s(few_halves x) { return (floats)_mm256_cvtph_ps((__m128i)x); }
static inline few_halves to_float16s(floats x) { return (few_halves)_mm256_cvtps_ph((__m256)x, 0); }
#else
#undef __F16C__
#endif
#endif

/* Sums in whatever order is fastest, compiled once: every way of storing has the same. */
static __attribute__((noinline)) float sum_of(const float *x, long m) {
  float sum = 0;
  _Pragma("omp simd reduction(+ : sum)") for (long j = 0; j < m; j++) sum += x[j];
  return sum;
}
static __attribute__((noinline)) float squares_of(const float *x, long m, float mean) {
  float sum = 0;
  _Pragma("omp simd reduction(+ : sum)") for (long j = 0; j < m; j++) sum += (x[j] - mean) * (x[j] - mean);
  return sum;
}
