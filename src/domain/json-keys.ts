/** The path to a value in a JSON document, made of property names and array indexes. */
type JsonPath = readonly PropertyKey[]

/** Formats a path, such as `roles.admin.inherit[0]`. */
export function pathText(path: JsonPath): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`
      return index === 0 ? String(step) : `.${String(step)}`
    })
    .join('')
}

export type DoubtfulKey = { readonly path: JsonPath; readonly rule: string }

export const TWICE = 'occurs twice'

/** Keys that give access to the prototype of an object. */
const PROTOTYPE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

// Matches only strings and punctuation, because keys are strings.
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g

type Place =
  | { readonly kind: 'object'; readonly keys: Set<string>; key: string; awaitsKey: boolean }
  | { readonly kind: 'array'; index: number }

/**
 * Finds keys that occur twice in the same object, and keys such as `__proto__`, because `JSON.parse` reports neither. The `text` must be
 * valid JSON. Nesting depth is limited by heap memory, not by the call stack.
 */
export function doubtfulKeys(text: string): DoubtfulKey[] {
  const places: Place[] = []
  const found: DoubtfulKey[] = []
  for (const [token] of text.matchAll(TOKEN)) {
    const place = places.at(-1)
    if (token === '{') places.push({ kind: 'object', keys: new Set(), key: '', awaitsKey: true })
    else if (token === '[') places.push({ kind: 'array', index: 0 })
    else if (token === '}' || token === ']') places.pop()
    else if (token === ',') step(place)
    else if (token === ':') continue
    else if (place?.kind === 'object' && place.awaitsKey) {
      const rule = enter(place, JSON.parse(token) as string)
      if (rule !== undefined)
        found.push({ path: places.map((place) => (place.kind === 'object' ? place.key : place.index)), rule })
    }
  }
  return found
}

function step(place: Place | undefined): void {
  if (place?.kind === 'array') place.index += 1
  if (place?.kind === 'object') place.awaitsKey = true
}

function enter(place: Place & { kind: 'object' }, key: string): string | undefined {
  const twice = place.keys.has(key)
  place.keys.add(key)
  place.key = key
  place.awaitsKey = false
  if (PROTOTYPE_KEYS.has(key)) return 'is a key that is not allowed'
  return twice ? TWICE : undefined
}
