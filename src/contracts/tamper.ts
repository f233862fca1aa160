import assert from 'node:assert/strict'
import { inTurn } from './barrier.js'

/** The reads keep their answers, although `inputs` and the answers are overwritten. */
export async function assertUnaffected(
  inputs: readonly unknown[],
  ...reads: readonly (() => Promise<unknown>)[]
): Promise<void> {
  const before = structuredClone(await inTurn(reads, (read) => read()))
  for (const input of inputs) tamperWith(input)
  for (const look of [1, 2]) {
    const answers = await inTurn(reads, (read) => read())
    assert.deepEqual(answers, before, `look ${look}`)
    tamperWith(answers)
  }
}

/**
 * Overwrites everything in a value that was handed out or taken in, as a careless caller
 * could. A frozen value stays as it is, without an error: it is safe too.
 */
export function tamperWith(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const key of Object.keys(value)) {
    const member: unknown = Reflect.get(value, key)
    if (typeof member === 'object' && member !== null) tamperWith(member)
    else Reflect.set(value, key, overwritten(member))
  }
  if (Array.isArray(value)) Reflect.set(value, 'length', 0)
  else Reflect.set(value, 'planted', true)
}

function overwritten(member: unknown): unknown {
  if (typeof member === 'number') return member + 1_000_003
  if (typeof member === 'boolean') return !member
  return 'tampered'
}
