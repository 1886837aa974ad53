/* What a C compiler makes of the same loops for this very processor: how fast the machine can go. Results go into
 * memory that is there, which is the cheapest way; the fastest counts of several ways of storing, each in pages as the
 * system gives them and in huge ones. Usage: roofline WORKLOAD SIZES... MILLISECONDS; prints seconds and the way.
 * `roofline check` compares the results of all ways instead. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef __linux__
#include <sys/mman.h>
#endif
#ifdef _OPENMP
#include <omp.h>
#endif
#include "roofline/vectors.h"

#define PRAGMA(TEXT) _Pragma(#TEXT)
#include "roofline/peak.h"

#define NAMED(NAME) NAME##_alone
#define PARALLEL
#define PARALLEL_SUM
#include "roofline/loops.h"
#undef NAMED
#undef PARALLEL
#undef PARALLEL_SUM
#define NAMED(NAME) NAME##_shared
#define PARALLEL PRAGMA(omp parallel for schedule(static))
#define PARALLEL_SUM PRAGMA(omp parallel for schedule(static) reduction(^ : bits))
#include "roofline/loops.h"

typedef void Loop(const void *x, const void *y, const void *z, void *o, const long *size);

typedef struct {
  const char *name;
  Loop *alone, *shared;
  /* Bytes of an element, and how many times as many elements as the result y and z have; no multiple: a few rows. */
  int width, y, z;
  /* The result is the product of the sizes times this, or to the power of that. */
  int times, power;
  /* Sizes for the check; no vector divides them where the loop allows that. */
  long odd[4];
} Workload;

#define LOOPS(NAME) NAME##_alone, NAME##_shared
static const Workload workloads[] = {
    {"same", LOOPS(same), 4, 1, 0, 1, 1, {30011}},
    {"row", LOOPS(row), 4, 0, 0, 1, 1, {97, 333}},
    {"column", LOOPS(column), 4, 0, 0, 1, 1, {97, 333}},
    {"outer", LOOPS(outer), 4, 0, 0, 1, 1, {97, 333}},
    {"normalise", LOOPS(normalise), 4, 0, 0, 1, 1, {96, 336}},
    {"pixels", LOOPS(pixels), 4, 0, 0, 3, 1, {20011}},
    {"nchw", LOOPS(planes), 4, 0, 0, 1, 1, {5, 7, 333}},
    {"where", LOOPS(choose), 4, 0, 1, 1, 1, {97, 333}},
    {"transposed", LOOPS(transposed), 4, 1, 0, 1, 2, {333}},
    {"strided", LOOPS(strided), 4, 2, 0, 1, 1, {97, 333}},
    {"int8", LOOPS(int8), 1, 0, 0, 1, 1, {97, 333}},
    {"int64", LOOPS(int64), 8, 0, 0, 1, 1, {97, 333}},
    {"float64", LOOPS(float64), 8, 0, 0, 1, 1, {97, 333}},
    {"greater", LOOPS(greater), 4, 0, 0, 1, 1, {97, 333}},
    {"max", LOOPS(largest), 4, 1, 0, 1, 1, {97, 333}},
    {"rank8", LOOPS(rank8), 4, 0, 0, 1, 8, {8}},
    {"bfloat16", LOOPS(bfloat16), 2, 0, 0, 1, 1, {97, 333}},
#ifdef __F16C__
    {"float16", LOOPS(float16), 2, 0, 0, 1, 1, {97, 333}},
#endif
    {"layer-norm", LOOPS(layer_norm), 4, 0, 0, 1, 1, {97, 333}},
    {"read", LOOPS(reading), 4, 0, 0, 1, 1, {97, 1024}},
};

/* Room for the rows that a matrix meets. */
#define FEW (8L << 16)
#define HUGE_PAGE (2L << 20)
/* Fewer elements than this are not worth waking threads; up to the other, one thread may be faster alone. */
#define FEW_ELEMENTS 10000
#define MANY_ELEMENTS 1000000

enum { SMALL_PAGES, HUGE_PAGES, PAGES };

/* Memory whose pages are all there. Each 16 or 32 bits are a float of that width between 1 and 2, each eighth bit too,
 * and no processor is slow at what 8 or 64 of them are; of bools every other one holds. */
static void *filled(size_t size, int pages, int bools) {
  size_t whole = (size + 2 * HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
  uint32_t *p = aligned_alloc(HUGE_PAGE, whole);
#ifdef __linux__
  madvise(p, whole, pages == HUGE_PAGES ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
#else
  (void)pages;
#endif
  for (size_t i = 0, random = 1; i < size / 4 + 1; i++, random = random * 1664525 + 1013904223) {
    p[i] = bools ? random >> 8 & 0x01010101 : 0x3f803c00 | (random >> 4 & 0x007f03ff);
  }
  return p;
}

static long power(long base, int exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }

static long elements(const Workload *w, const long *size) {
  long count = w->times;
  for (int i = 0; i < 4 && size[i] > 0; i++) count *= power(size[i], w->power);
  return count;
}

typedef struct {
  const char *x, *y, *z;
  char *o;
  size_t bytes;
} Memory;

static Memory memory_for(const Workload *w, const long *size, int pages) {
  size_t bytes = (size_t)elements(w, size) * w->width;
  Memory m = {.bytes = bytes};
  m.x = filled(bytes + FEW, pages, 0);
  m.y = filled(bytes * w->y + FEW, pages, 0);
  m.z = filled(bytes * w->z + FEW, pages, w->z > 0);
  m.o = filled(bytes + FEW, pages, 0);
  return m;
}

static void release(Memory m) {
  free((void *)m.x);
  free((void *)m.y);
  free((void *)m.z);
  free(m.o);
}

static void run(Loop *loop, Memory m, const long *size) {
  loop(m.x, m.y, m.z, m.o, size);
  if (way == STREAMED) settle();
}

/* The fewest seconds of one call. */
static double timed(Loop *loop, Memory m, const long *size, double ms) {
  run(loop, m, size);
  double best = 1e9, end = now() + ms / 1000;
  long repeat = 1;
  do {
    double begun = now();
    for (long i = 0; i < repeat; i++) {
      run(loop, m, size);
      __asm__ volatile("" ::: "memory");
    }
    double total = now() - begun;
    if (total / repeat < best) best = total / repeat;
    if (total < 0.001) repeat *= 4;
  } while (now() < end);
  return best;
}

static const char *const STORED[] = {"compiled loops", "vectors", "streaming stores"};

/* 1 when a way gives other bytes than the compiled loop. */
static int differs(const Workload *w, Loop *loop) {
  Memory m = memory_for(w, w->odd, SMALL_PAGES);
  char *right = malloc(m.bytes);
  int found = 0;
  for (way = COMPILED; way < WAYS; way++) {
    memset(m.o, 0x55, m.bytes);
    run(loop, m, w->odd);
    if (way == COMPILED) memcpy(right, m.o, m.bytes);
    else if (memcmp(right, m.o, m.bytes) != 0) {
      printf("%s: %s give another result\n", w->name, STORED[way]);
      found = 1;
    }
  }
  free(right);
  release(m);
  return found;
}

int main(int argc, char **argv) {
  const int known = sizeof workloads / sizeof *workloads;
  if (argc == 2 && !strcmp(argv[1], "check")) {
    int wrong = 0;
    for (int i = 0; i < known; i++) wrong |= differs(&workloads[i], workloads[i].alone) | differs(&workloads[i], workloads[i].shared);
    return wrong;
  }
  if (argc < 4) return 2;
  long size[5] = {0};
  for (int i = 2; i < argc - 1 && i < 6; i++) size[i - 2] = atol(argv[i]);
  double ms = atof(argv[argc - 1]);
  int threads = 1;
#ifdef _OPENMP
  threads = omp_get_max_threads();
#endif
  if (!strcmp(argv[1], "rounded") || !strcmp(argv[1], "fused")) {
    double products = (double)size[0] * size[1] * size[2];
    printf("%.12g\n", seconds_for(products, *argv[1] == 'r' ? add_rounded : add_fused, threads, ms));
    return 0;
  }
  const Workload *w = workloads;
  while (w < workloads + known && strcmp(w->name, argv[1])) w++;
  if (w == workloads + known) return 2;
  const long count = elements(w, size);
  Loop *loops[] = {w->alone, w->shared};
  const int first = threads > 1 && count > MANY_ELEMENTS, last = threads > 1 && count > FEW_ELEMENTS;
  double best = 1e9;
  const char *stored = "", *paged = "";
  for (int pages = SMALL_PAGES; pages < PAGES; pages++) {
    Memory m = memory_for(w, size, pages);
    for (way = COMPILED; way < WAYS; way++) {
      for (int i = first; i <= last; i++) {
        double seconds = timed(loops[i], m, size, ms / (WAYS * PAGES * (1 + last - first)));
        if (seconds >= best) continue;
        best = seconds;
        stored = STORED[way];
        paged = pages == HUGE_PAGES ? ", huge pages" : "";
      }
    }
    release(m);
  }
  printf("%.12g %s%s\n", best, stored, paged);
  return 0;
}
