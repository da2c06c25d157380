export const ddWays = {}
