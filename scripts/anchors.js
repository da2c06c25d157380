// Owns which address a heading of a Markdown page has: that which GitHub gives it, on the site as well.

/** The part after the # of the address of a heading. */
export const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
