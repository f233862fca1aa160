import { STORE_CALLS, STORE_PORTS } from '../../src/ports/calls/store.js'
import type { Call } from '../../src/ports/calls/call.js'
import type { Store } from '../../src/ports/store.js'

/** A store call with its arguments; in `EVERY_CALL`, the arguments are the parameter names. */
export type StoreCall = { readonly port: string; readonly call: string; readonly args: readonly unknown[] }

export const EVERY_CALL: readonly StoreCall[] = STORE_PORTS.flatMap((port) =>
  Object.entries<Call>(STORE_CALLS[port]).map(([call, { args }]) => ({ port, call, args })),
)

/** Returns a store whose calls all return the result of `answer`, together with the names of the calls made so far. */
export function createFakeStore(answer: (call: StoreCall) => unknown = () => undefined) {
  const made: string[] = []
  const make = (name: string, reply: unknown) => {
    made.push(name)
    return reply
  }
  const store: Record<string, unknown> = {
    ready: async () => make('ready', undefined),
    close: async () => make('close', undefined),
  }
  for (const { port, call } of EVERY_CALL) {
    const run = async (...args: unknown[]) => make(`${port}.${call}`, await answer({ port, call, args }))
    store[port] = { ...(store[port] as object | undefined), [call]: run }
  }
  return { store: store as Required<Store>, made }
}

export async function makeCall(store: object, { port, call, args }: StoreCall): Promise<unknown> {
  const ports = store as Readonly<Record<string, Readonly<Record<string, (...args: unknown[]) => unknown>>>>
  return await ports[port]?.[call]?.(...args)
}
