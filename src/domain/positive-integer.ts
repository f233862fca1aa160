/** Returns whether the value can be an ID: a positive integer that a JavaScript number can represent exactly. */
export function isPositiveInteger(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0
}

/** Returns whether the number was parsed without rounding; integers beyond 2^53 - 1 may have been rounded. */
export function isExact(value: number): boolean {
  return !Number.isInteger(value) || Number.isSafeInteger(value)
}

/** Parses a positive integer in plain decimal form; returns `undefined` for any other string. */
export function positiveIntegerIn(text: string): number | undefined {
  if (!/^[1-9][0-9]{0,15}$/.test(text)) return undefined
  const value = Number(text)
  return isPositiveInteger(value) ? value : undefined
}
