// The works of beside.js with flecs, as its documentation writes them. Compiled where somebody points to its sources.
#include "harness.hpp"
#include <flecs.h>

struct Position { float x, y; };
struct Velocity { float x, y; };
struct Extra { float value; };
template <int> struct Tag {};

using std::size_t;
using std::vector;
using flecs::entity;
using flecs::world;

static entity create(world &ecs, size_t i) {
  return ecs.entity().set<Position>({float(i), float(2 * i)}).set<Velocity>({1, .5f});
}

static vector<entity> fill(world &ecs, size_t n) {
  vector<entity> all(n);
  for (size_t i = 0; i < n; i++) all[i] = create(ecs, i);
  return all;
}

template <int... I> static void tag(entity one, size_t bits, std::integer_sequence<int, I...>) {
  ((bits >> I & 1 ? void(one.add<Tag<I>>()) : void()), ...);
}

int main(int count, char **words) {
  const auto [work, n] = asked(count, words);
  world ecs;
  const auto moving = ecs.query<Position, const Velocity>();
  const auto places = ecs.query<const Position>();
  vector<entity> all;
  const auto empty = [&] { ecs.delete_with<Position>(); };
  const auto full = [&] { empty(); all = fill(ecs, n); };
  const auto living = [&] { return ecs.count<Position>(); };
  const auto total = [&] {
    double sum = 0;
    places.each([&](const Position &at) { sum += double(at.x) + at.y; });
    return sum;
  };
  const auto move = [&] {
    moving.each([](Position &at, const Velocity &by) {
      at.x += by.x * DT;
      at.y += by.y * DT;
    });
  };
  const auto moveByTables = [&] {
    moving.run([](flecs::iter &rows) {
      while (rows.next()) {
        auto at = rows.field<Position>(0);
        auto by = rows.field<const Velocity>(1);
        for (auto i : rows) {
          at[i].x += by[i].x * DT;
          at[i].y += by[i].y * DT;
        }
      }
    });
  };

  if (work == "create") {
    measure("one by one", n, empty, [&] { for (size_t i = 0; i < n; i++) create(ecs, i); }, total);
  } else if (work == "create in bulk") {
    vector<Position> at(n, {1, 2});
    vector<Velocity> by(n, {1, .5f});
    void *columns[] = {at.data(), by.data()};
    ecs_bulk_desc_t what = {};
    what.count = int32_t(n);
    what.ids[0] = ecs.id<Position>();
    what.ids[1] = ecs.id<Velocity>();
    what.data = columns;
    measure("ecs_bulk_init", n, empty, [&] { ecs_bulk_init(ecs, &what); }, total);
  } else if (work == "destroy") {
    measure("one by one", n, full, [&] { for (auto one : all) one.destruct(); }, living);
  } else if (work == "destroy all") {
    measure("delete_with", n, full, empty, living);
  } else if (work == "move") {
    const auto three = [&](auto step) {
      full();
      for (int i = 0; i < 3; i++) step();
      return total();
    };
    const double right = three(move);
    measure("each", n, nothing, move, [&] { return right; });
    const double byTables = three(moveByTables);
    measure("run over tables", n, nothing, moveByTables, [&] { return byTables; });
  } else if (work == "add, remove") {
    full();
    int32_t added = 0;
    const auto single = [&] {
      for (auto one : all) one.set<Extra>({1});
      added = ecs.count<Extra>();
      for (auto one : all) one.remove<Extra>();
    };
    measure("one by one", 2 * n, nothing, single, [&] { return added - ecs.count<Extra>(); });
  } else if (work == "spawn, destroy") {
    all.resize(n);
    const auto both = [&] {
      for (size_t i = 0; i < n; i++) all[i] = ecs.entity().set<Position>({1, 2});
      for (auto one : all) one.destruct();
    };
    measure("one by one", 2 * n, nothing, both, living);
  } else if (work == "get") {
    full();
    shuffle(all);
    double x = 0;
    measure("get", n, nothing, [&] { x = 0; for (auto one : all) x += one.get<Position>().x; }, [&] { return x; });
    vector<flecs::ref<Position>> refs;
    for (auto one : all) refs.push_back(one.get_ref<Position>());
    measure("a ref", n, nothing, [&] { x = 0; for (auto &one : refs) x += one->x; }, [&] { return x; });
  } else if (work == "set") {
    full();
    shuffle(all);
    const auto set = [&] {
      float i = 0;
      for (auto one : all) one.get_mut<Position>().y = i++;
    };
    measure("get_mut", n, nothing, set, total);
  } else if (work == "archetypes") {
    for (size_t i = 0; i < n; i++) tag(create(ecs, i), i, std::make_integer_sequence<int, 8>());
    for (int i = 0; i < 3; i++) move();
    const double right = total();
    measure("each", n, nothing, move, [&] { return right; });
  } else if (work == "tree") {
    all = fill(ecs, n);
    for (size_t i = 1; i < n; i++) all[i].child_of(all[(i - 1) / 4]);
    const auto tree = ecs.query_builder<Position, const Velocity, const Position *>().term_at(2).parent().cascade().build();
    const auto place = [&] {
      tree.each([](Position &at, const Velocity &own, const Position *above) {
        at = above ? Position{above->x + own.x, above->y + own.y} : Position{own.x, own.y};
      });
    };
    measure("cascade", n, nothing, place, total);
  }
}
