// Creates elements. No function accepts HTML, so text from the service is never parsed as HTML.

const SVG = 'http://www.w3.org/2000/svg'
const SHOWN = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/**
 * Creates an element. Attributes that are functions become event listeners. Attributes and children that are `false` or `undefined` are
 * left out.
 */
export function el(tag, attributes, ...children) {
  return filled(document.createElement(tag), attributes, children)
}

export function shape(tag, attributes, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children)
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value)
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : value)
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== false))
  return element
}

/** A time in the browser's time zone and format; `absent` if there is none. */
export function time(iso, absent = '') {
  return iso ? el('time', { datetime: iso, title: iso }, SHOWN.format(new Date(iso))) : absent
}

/**
 * Converts a local time to UTC. Returns invalid text unchanged, so that the service rejects the text; returns `undefined` for empty text.
 */
export function utc(local) {
  const at = new Date(local)
  return Number.isNaN(at.getTime()) ? local || undefined : at.toISOString()
}

export function facts(pairs) {
  const rows = pairs.map(([name, value]) =>
    el('div', {}, el('dt', {}, name), el('dd', {}, ...[value].flat())),
  )
  return el('dl', {}, rows)
}

export function section(title, ...children) {
  return el('section', {}, el('h2', {}, title), ...children)
}

/** The heading of a view, which gets the focus after a navigation, and a button next to it. */
export function heading(title, button) {
  return el('div', { class: 'heading' }, el('h1', { tabindex: -1 }, title), button)
}

export const buttons = (...shown) => el('div', { class: 'buttons' }, ...shown)

export const problem = (text) => el('p', { class: 'problem', role: 'alert' }, text)
