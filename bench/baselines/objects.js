// Owns a scene of discrete game objects: each lies on the heap by itself and names its parts, undefined where it has
// none. Good: the least code, the plainest to read, a part in one load. Bad: the class knows every part there is; a loop
// visits every object, whatever it looks for, and follows a pointer for each part; each part is a piece of garbage later.

export class GameObject {
  transform = undefined
  shader = undefined
  physics = undefined
  /** Where the scene's list has it, so that leaving costs no search. */
  index = -1
}

export class Scene {
  objects = []

  create() {
    const object = new GameObject()
    object.index = this.objects.length
    this.objects.push(object)
    return object
  }

  destroy(object) {
    const last = this.objects.pop()
    if (last === object) return
    this.objects[object.index] = last
    last.index = object.index
  }
}
