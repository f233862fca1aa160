/** An exact positive integer, such as an ID, an epoch, or a moment in whole seconds. */
export function isPositiveInteger(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0
}

/** Whether the number is surely the one that was written: whole numbers beyond 2^53 - 1 are rounded when they are read. */
export function isExact(value: number): boolean {
  return !Number.isInteger(value) || Number.isSafeInteger(value)
}

/** The positive integer in plain decimal form, or `undefined`. */
export function positiveIntegerIn(text: string): number | undefined {
  if (!/^[1-9][0-9]{0,15}$/.test(text)) return undefined
  const value = Number(text)
  return isPositiveInteger(value) ? value : undefined
}
