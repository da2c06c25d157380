// What the native programs of beside.js share: which work is asked for, and how it is measured and told.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

/* A power of two: products are exact, and all languages round the same sums. */
constexpr float DT = 1.f / 64;

static const auto nothing = [] {};

/* The work and its number of entities. */
static std::pair<std::string, size_t> asked(int count, char **words) {
  if (count == 3) return {words[1], size_t(std::atol(words[2]))};
  std::fputs("Say which work, and over how many entities.\n", stderr);
  std::exit(1);
}

/*
 * Tells the nanoseconds a unit of a way to do it: the least of all runs in 0.3 s, five at least. What `prepare` does is not timed;
 * `check` gives a number that shows that the work was done.
 */
template <class Prepare, class Run, class Check>
static void measure(const char *way, size_t units, Prepare prepare, Run run, Check check) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::milliseconds(300);
  double best = 1e300;
  for (int i = 0; i < 5 || Clock::now() < end; i++) {
    prepare();
    const auto began = Clock::now();
    /* A compiler may not know what is in memory, or it would do the same work once. */
    asm volatile("" ::: "memory");
    run();
    asm volatile("" ::: "memory");
    best = std::min(best, std::chrono::duration<double, std::nano>(Clock::now() - began).count());
  }
  std::printf("{\"way\":\"%s\",\"ns\":%.6g,\"check\":%.17g}\n", way, best / double(units), double(check()));
}

/* The same order in every language. */
template <class List> static void shuffle(List &list) {
  uint32_t seed = 1;
  for (size_t i = list.size() - 1; i > 0; i--) {
    seed = seed * 1664525u + 1013904223u;
    std::swap(list[i], list[seed % (i + 1)]);
  }
}
