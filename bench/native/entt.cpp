// The works of beside.js with EnTT, as its documentation writes them. Compiled where somebody points to its sources.
#include "harness.hpp"
#include <entt/entt.hpp>

struct Velocity { float x, y; };
struct Position { float x, y; };
struct Extra { float value; };
struct Link { entt::entity parent; };
template <int> struct Tag {};

struct Archive {
  std::vector<char> bytes;
  template <class Value> void operator()(const Value &value) {
    const char *from = reinterpret_cast<const char *>(&value);
    bytes.insert(bytes.end(), from, from + sizeof value);
  }
};

using entt::registry;
using std::size_t;
using std::vector;

static entt::entity create(registry &world, size_t i) {
  const auto one = world.create();
  world.emplace<Position>(one, float(i), float(2 * i));
  world.emplace<Velocity>(one, 1.f, .5f);
  return one;
}

static vector<entt::entity> fill(registry &world, size_t n) {
  vector<entt::entity> all(n);
  for (size_t i = 0; i < n; i++) all[i] = create(world, i);
  return all;
}

static double sum(registry &world) {
  double total = 0;
  for (auto [one, at] : world.view<Position>().each()) total += double(at.x) + at.y;
  return total;
}

static double alive(registry &world) {
  double count = 0;
  for ([[maybe_unused]] auto one : world.view<Position>()) count++;
  return count;
}

static void move(registry &world) {
  world.view<Position, const Velocity>().each([](auto &at, const auto &by) {
    at.x += by.x * DT;
    at.y += by.y * DT;
  });
}

/* Along the pages of two pools that a group keeps in one order. */
static void moveByPages(registry &world) {
  auto group = world.group<Position, Velocity>();
  const size_t page = entt::component_traits<Position>::page_size;
  Position **at = world.storage<Position>().raw();
  Velocity **by = world.storage<Velocity>().raw();
  for (size_t from = 0, n = group.size(); from < n; from += page) {
    Position *p = at[from / page];
    const Velocity *v = by[from / page];
    for (size_t i = 0, rows = std::min(page, n - from); i < rows; i++) {
      p[i].x += v[i].x * DT;
      p[i].y += v[i].y * DT;
    }
  }
}

template <int... I> static void tag(registry &world, entt::entity one, size_t bits, std::integer_sequence<int, I...>) {
  ((bits >> I & 1 ? world.emplace<Tag<I>>(one) : void()), ...);
}

int main(int count, char **words) {
  const auto [work, n] = asked(count, words);
  registry world;
  vector<entt::entity> all;
  const auto empty = [&] { world.clear(); };
  const auto full = [&] { empty(); all = fill(world, n); };

  const auto total = [&] { return sum(world); };
  const auto living = [&] { return alive(world); };

  if (work == "create") {
    measure("one by one", n, empty, [&] { for (size_t i = 0; i < n; i++) create(world, i); }, total);
  } else if (work == "create in bulk") {
    vector<entt::entity> made(n);
    const auto insert = [&] {
      world.create(made.begin(), made.end());
      world.insert<Position>(made.begin(), made.end(), {1, 2});
      world.insert<Velocity>(made.begin(), made.end(), {1, .5f});
    };
    measure("insert", n, empty, insert, total);
  } else if (work == "destroy") {
    measure("one by one", n, full, [&] { for (auto one : all) world.destroy(one); }, living);
    measure("a list", n, full, [&] { world.destroy(all.begin(), all.end()); }, living);
  } else if (work == "destroy all") {
    const auto destroyAll = [&] {
      auto view = world.view<Position>();
      world.destroy(view.begin(), view.end());
    };
    measure("of a view", n, full, destroyAll, living);
  } else if (work == "move") {
    const auto three = [&](auto step) {
      full();
      for (int i = 0; i < 3; i++) step(world);
      return sum(world);
    };
    const double right = three(move);
    measure("each", n, nothing, [&] { move(world); }, [&] { return right; });
    const double byPages = three(moveByPages);
    measure("pages of a group", n, nothing, [&] { moveByPages(world); }, [&] { return byPages; });
  } else if (work == "add, remove") {
    full();
    size_t added = 0;
    const auto rest = [&] { return double(added) - double(world.storage<Extra>().size()); };
    const auto single = [&] {
      for (auto one : all) world.emplace<Extra>(one, 1.f);
      added = world.storage<Extra>().size();
      for (auto one : all) world.remove<Extra>(one);
    };
    const auto list = [&] {
      world.insert<Extra>(all.begin(), all.end(), {1});
      added = world.storage<Extra>().size();
      world.remove<Extra>(all.begin(), all.end());
    };
    measure("one by one", 2 * n, nothing, single, rest);
    measure("a list", 2 * n, nothing, list, rest);
  } else if (work == "spawn, destroy") {
    all.resize(n);
    const auto both = [&] {
      for (size_t i = 0; i < n; i++) world.emplace<Position>(all[i] = world.create(), 1.f, 2.f);
      for (auto one : all) world.destroy(one);
    };
    measure("one by one", 2 * n, nothing, both, living);
  } else if (work == "get") {
    full();
    shuffle(all);
    double x = 0;
    const auto found = [&] { return x; };
    measure("get", n, nothing, [&] { x = 0; for (auto one : all) x += world.get<Position>(one).x; }, found);
    auto &pool = world.storage<Position>();
    measure("its storage", n, nothing, [&] { x = 0; for (auto one : all) x += pool.get(one).x; }, found);
  } else if (work == "set") {
    full();
    shuffle(all);
    const auto set = [&] {
      float i = 0;
      for (auto one : all) world.get<Position>(one).y = i++;
    };
    measure("get", n, nothing, set, total);
  } else if (work == "archetypes") {
    for (size_t i = 0; i < n; i++) tag(world, create(world, i), i, std::make_integer_sequence<int, 8>());
    for (int i = 0; i < 3; i++) move(world);
    const double right = sum(world);
    measure("each", n, nothing, [&] { move(world); }, [&] { return right; });
  } else if (work == "tree") {
    all = fill(world, n);
    const auto parent = [&](size_t i) { return i == 0 ? entt::entity{entt::null} : all[(i - 1) / 4]; };
    for (size_t i = 0; i < n; i++) world.emplace<Link>(all[i], parent(i));
    auto &places = world.storage<Position>();
    auto &steps = world.storage<Velocity>();
    /* Links were made from the root down, which is an order by depth that nothing here disturbs. */
    const auto place = [&] {
      for (auto [one, link] : world.storage<Link>().reach()) {
        const Position above = link.parent == entt::null ? Position{0, 0} : places.get(link.parent);
        const Velocity &own = steps.get(one);
        places.get(one) = {above.x + own.x, above.y + own.y};
      }
    };
    measure("in the order of links", n, nothing, place, total);
  } else if (work == "snapshot") {
    full();
    Archive archive;
    const auto write = [&] {
      archive.bytes.clear();
      entt::snapshot{world}.get<entt::entity>(archive).get<Position>(archive).get<Velocity>(archive);
    };
    measure("to an archive", n, nothing, write, [&] { return archive.bytes.size() > n * 20; });
  }
}
