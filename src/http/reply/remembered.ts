/** Caches the result of `write` for each frozen value, because a store may return the same unchanged value many times. */
export function remembered<Value extends object, Written>(
  write: (value: Value) => Written,
): (value: Value) => Written {
  const known = new WeakMap<Value, Written>()
  return (value) => {
    const before = known.get(value)
    if (before !== undefined) return before
    const written = write(value)
    if (Object.isFrozen(value)) known.set(value, written)
    return written
  }
}
