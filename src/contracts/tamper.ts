import assert from 'node:assert/strict'
import { inTurn } from './barrier.js'

/** The reads return the same answers after `inputs` and earlier answers are overwritten. */
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
 * Overwrites every member of an input or an answer, as a careless caller could. A frozen value stays unchanged and
 * causes no error, since it is safe.
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
