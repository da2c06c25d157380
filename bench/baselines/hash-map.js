// Owns entities that are hash maps from the class of a part to the part. Good: any set of parts, known only when the
// program runs, in very little code. Bad: each entity pays for a table of its own, each access hashes a class, and a loop
// asks every entity for each part it wants.

export class MapWorld {
  entities = new Set()

  create() {
    const entity = new Map()
    this.entities.add(entity)
    return entity
  }

  destroy(entity) {
    this.entities.delete(entity)
  }

  add(entity, part) {
    entity.set(part.constructor, part)
  }

  remove(entity, Part) {
    entity.delete(Part)
  }
}
