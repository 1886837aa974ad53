/* How fast products are added up from registers alone, which no matrix product can beat: rounded twice, as results that
 * are equal everywhere have to be, or once, as a fused multiply-add does. */
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

/* Sums that are independent of each other, more than any processor works on at once. */
#define SUMS 12
#define STEPS 4096

#define SAME(x) (void)0

/* Adds up SUMS * STEPS vectors of products. */
#define ADD_PRODUCTS(NAME, ROUNDED)                                       \
  static void NAME(void) {                                                \
    floats a = (floats){0} + 1e-3f, b = a, sums[SUMS];                    \
    for (int i = 0; i < SUMS; i++) sums[i] = a;                           \
    for (int step = 0; step < STEPS; step++) {                            \
      _Pragma("GCC unroll 12") for (int i = 0; i < SUMS; i++) {           \
        CHANGED(a);                                                       \
        floats product = a * b;                                           \
        ROUNDED(product);                                                 \
        sums[i] += product;                                               \
      }                                                                   \
    }                                                                     \
    for (int i = 1; i < SUMS; i++) sums[0] += sums[i];                    \
    CHANGED(sums[0]);                                                     \
  }
ADD_PRODUCTS(add_rounded, CHANGED)
ADD_PRODUCTS(add_fused, SAME)

/* The fewest seconds in which so many threads add up `products` that way. */
static double seconds_for(double products, void (*add)(void), int threads, double ms) {
  double best = 1e9, end = now() + ms / 1000;
  do {
    double begun = now();
    PRAGMA(omp parallel for num_threads(threads))
    for (int thread = 0; thread < threads; thread++)
      for (int i = 0; i < 64; i++) add();
    double each = (now() - begun) / (64. * SUMS * STEPS * LANES(float) * threads);
    if (each < best) best = each;
  } while (now() < end);
  return best * products;
}
