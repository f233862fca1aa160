import { setImmediate } from 'node:timers/promises'
import { openWire, requestText } from '../../support/http/wire.js'
import type { Reply } from '../../support/http/client.js'
import type { Place } from './place.js'
import type { Random } from '../random.js'

export type Calls = {
  /**
   * A request of a client of the history, from an address of its own if it names none; `undefined` where no reply came,
   * or one that does not say what was done: some connections are cut on purpose.
   */
  send(client: number, method: string, path: string, call?: JsonCall): Promise<Reply | undefined>
  /** How many connections were cut. */
  cuts(): number
}

export type JsonCall = { readonly headers?: Readonly<Record<string, string>>; readonly json?: unknown }

/** So many requests are cut of one. */
const CUT = 0.02

export function createCalls({ clients, origins }: Place, random: Random): Calls {
  let cut = 0
  return {
    send: async (client, method, path, call = {}) => {
      const index = client % origins.length
      const told = addressed(call, random)
      if (random.chance(CUT)) {
        cut += 1
        await sendAndCut(origins[index] as string, `${method} ${path} HTTP/1.1`, told, random.below(8))
        return undefined
      }
      const reply = await clients[index]?.call(method, path, told).catch(() => undefined)
      return reply?.status === 503 ? undefined : reply
    },
    cuts: () => cut,
  }
}

/** A request by which something is made ready: it has to come through, if need be with another connection. */
export async function prepare(
  { clients }: Place,
  method: string,
  path: string,
  call: JsonCall,
): Promise<Reply> {
  for (let tries = 0; tries < 10; tries += 1) {
    const reply = await clients[0]?.call(method, path, call).catch(() => undefined)
    if (reply && reply.status !== 503) return reply
  }
  throw new Error(`no reply came to ${method} ${path}`)
}

function addressed({ headers, ...call }: JsonCall, random: Random): JsonCall {
  const network = () => String(1 + random.below(250))
  const address = `10.${network()}.${network()}.${network()}`
  return { ...call, headers: { 'X-Forwarded-For': address, ...headers } }
}

/** Closes the connection some turns of the loop after the request was written. */
async function sendAndCut(
  origin: string,
  line: string,
  { headers, json }: JsonCall,
  turns: number,
): Promise<void> {
  const wire = await openWire(origin).catch(() => undefined)
  const body = json === undefined ? '' : JSON.stringify(json)
  const content = {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
  }
  wire?.send(requestText(line, { Host: new URL(origin).host, ...headers, ...(body && content) }, body))
  for (let turn = 0; turn < turns; turn += 1) await setImmediate()
  wire?.destroy()
}
