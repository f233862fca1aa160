import assert from 'node:assert/strict'
import { STORE_CALLS } from '../ports/calls/store.js'
import type { StorePort } from '../ports/store.js'

type Call = (...inputs: readonly unknown[]) => Promise<unknown>

/**
 * Wraps the port so that each call returns a copy of its result and then overwrites the inputs and the original result. As a result, every
 * law detects a store that shares an object with its callers.
 */
export function withTampering<Port extends object>(port: Port, name: StorePort): Port {
  const calls = Object.keys(STORE_CALLS[name]).map((call) => [
    call,
    async (...args: readonly unknown[]) => {
      const inputs = structuredClone(args)
      const answer = await Reflect.apply(Reflect.get(port, call) as Call, port, inputs)
      const copy = structuredClone(answer)
      assert.deepEqual(copy, answer, `the result of ${name}.${call} is plain data`)
      tamperWith(inputs)
      tamperWith(answer)
      return copy
    },
  ])
  return Object.fromEntries(calls) as Port
}

/** Overwrites every member. A frozen value cannot be overwritten, so sharing this value is safe. */
function tamperWith(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const key of Object.keys(value)) {
    const member: unknown = Reflect.get(value, key)
    if (typeof member === 'object' && member !== null) tamperWith(member)
    else Reflect.set(value, key, overwritten(member))
  }
  if (Array.isArray(value)) Reflect.set(value, 'length', 0)
  else Reflect.set(value, 'tampered', true)
}

function overwritten(member: unknown): unknown {
  if (typeof member === 'number') return member + 1_000_003
  if (typeof member === 'boolean') return !member
  return 'tampered'
}
