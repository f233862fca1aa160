/** A positive integer that is exact, such as an id, an epoch, or a moment in whole seconds. */
export function isPositiveInteger(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}
