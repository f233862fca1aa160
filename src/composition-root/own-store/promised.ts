/** A store that is not awaited yet, say; what it will be cannot be looked at. */
export function isPromise(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  try {
    return 'then' in value && typeof value.then === 'function'
  } catch {
    return false
  }
}

/** The error of an option or a part that is one. */
export function promised(place: string): string {
  return `${place} is a promise: await it first`
}
