// Owns the lint rule by which nothing in bindings/ keeps a number or an array that holds only until memory moves: the index of
// a chunk's descriptor or of an entity's record, or an array over all of memory. What is kept counts from Heap.chunks, or is
// an id. It must never judge what a function keeps for itself.

/** Properties of Heap that move with a table, and its arrays, which a memory that grows replaces. */
const MOVING = new Set(['chunks', 'records'])
const ARRAYS = new Set(['i8', 'u8', 'i16', 'u16', 'i32', 'u32', 'f32', 'f64'])
const isHeap = (node) =>
  (node.type === 'Identifier' && node.name === 'heap') ||
  (node.type === 'MemberExpression' && !node.computed && node.property.name === 'heap')

export const keptAddresses = {
  meta: {
    type: 'problem',
    schema: [{ type: 'object', properties: { allow: { type: 'array', items: { type: 'string' } } } }],
    messages: {
      kept: '{{what}} holds until memory moves: keep an id, or what it counts from Heap.chunks, and name it in docs/internals/kept.md.',
    },
  },
  create(context) {
    const { sourceCode } = context
    const allowed = new Set(context.options[0]?.allow)

    /** What of an expression moves, as text; undefined where nothing does. */
    function movingIn(node, seen = new Set()) {
      switch (node?.type) {
        case 'MemberExpression':
          if (node.computed || !isHeap(node.object)) return undefined
          return MOVING.has(node.property.name) || ARRAYS.has(node.property.name)
            ? sourceCode.getText(node)
            : undefined
        case 'CallExpression':
          return node.callee.property?.name === 'descriptorAt' ? sourceCode.getText(node) : undefined
        case 'BinaryExpression':
          // A difference of two of them stays.
          return node.operator === '+' ? (movingIn(node.left, seen) ?? movingIn(node.right, seen)) : undefined
        case 'TSAsExpression':
        case 'TSNonNullExpression':
          return movingIn(node.expression, seen)
        case 'Identifier':
          return movingVariable(node, seen)
        default:
          return undefined
      }
    }

    function movingVariable(node, seen) {
      if (seen.has(node.name)) return undefined
      seen.add(node.name)
      for (let scope = sourceCode.getScope(node); scope !== null; scope = scope.upper) {
        const [definition] = scope.set.get(node.name)?.defs ?? []
        if (definition === undefined) continue
        const { id, init } = definition.node
        if (definition.type !== 'Variable' || !init) return undefined
        if (id.type === 'Identifier') return movingIn(init, seen) && node.name
        // const { u32, chunks } = heap
        const isOf = isHeap(init) && (MOVING.has(node.name) || ARRAYS.has(node.name))
        return isOf ? node.name : undefined
      }
      return undefined
    }

    function check(value, name, node) {
      const what = movingIn(value)
      if (what !== undefined && !allowed.has(name))
        context.report({ node, messageId: 'kept', data: { what } })
    }

    return {
      PropertyDefinition: (node) => check(node.value, node.key.name, node),
      AssignmentExpression(node) {
        const { left, right } = node
        if (left.type === 'MemberExpression' && !left.computed) check(right, left.property.name, node)
      },
      "CallExpression[callee.property.name='push']": (node) =>
        node.arguments.forEach((value) => check(value, node.callee.object.property?.name, node)),
    }
  },
}
