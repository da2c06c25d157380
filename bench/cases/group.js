// Owns the case of components that lie in pools of their own: the work of the loop case, where the two pools were
// filled in different orders. It must never fill them alike: pools that agree by chance need no group.
import loop from './loop.js'

export default {
  ...loop,
  name: 'group',
  title: 'Group: the loop over two sparse pools, filled in different orders',
}
