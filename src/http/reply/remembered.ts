/**
 * What is written of a value, once for a frozen one: a store may hand out the same one many times, and then nothing of it
 * has changed.
 */
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
