// Owns how the page makes its elements. It must never take text for HTML.

/** An element with these attributes and children; texts are shown as they are. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...children)
  return made
}
