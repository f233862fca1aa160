import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { wrapPort } from '../../../src/ports/wrap-port.js'
import { wrapStore, type PortFunction } from '../../../src/ports/wrap-port.js'
import type { Store, StorePort } from '../../../src/ports/store.js'
import type { RefusedWrite } from './messages.js'

type Trace = { readonly writes: string[]; refusal: RefusedWrite | undefined }

/** What changes nothing, whatever the port. */
const READS =
  /^(?:find|findById|findByEmail|findMany|page|pageOf|search|list|listTo|isRevoked|holdsResetToken|resetTokenEnds|waiting|ready)$/
const NOTHING: readonly unknown[] = [
  ...[
    'unknown',
    'stale',
    'unchanged',
    'changed',
    'spent',
    'key-reused',
    'repeated',
    'duplicate-email',
    'full',
  ],
  ...['superseded', 'active', 'unknown-account', 0, undefined],
]
/**
 * What a refusal may leave: that it is recorded and counted, that a key was used, that a login ends whose
 * token was used twice, and the mail that tells its owner.
 */
const ALLOWED = /^(?:audit\.|attempts\.|apiKeys\.recordUse$|mailQueue\.enqueue$)/
const ALLOWED_401 = /^sessions\.(?:end|rotate)$/

/** A store in front of others, which knows which request has changed what. */
export function createTracedStore(first: Store) {
  const traces = new AsyncLocalStorage<Trace>()
  const refused: RefusedWrite[] = []
  let current = first
  const wrote = (name: string) => {
    const trace = traces.getStore()
    trace?.writes.push(name)
    if (trace?.refusal) refused.push({ ...trace.refusal, writes: [name] })
  }
  const store: Store = {
    ...wrapStore(first, (port, portName) =>
      wrapPort(port, (_call, name) => async (...args) => {
        const answer = await callOf(current, portName, name)(...args)
        const isWrite = !READS.test(name) && !ALLOWED.test(`${portName}.${name}`)
        if (isWrite && !isUnchanged(answer)) wrote(`${portName}.${name}`)
        return answer
      }),
    ),
    ready: () => current.ready(),
  }
  return {
    store,
    /** From now on the data are those of another store. */
    replace: (next: Store) => {
      current = next
    },
    current: () => current,
    /** What came to light since the last call. */
    take: () => ({ refusedWrites: refused.splice(0) }),
    /** A handler whose requests are told apart. */
    traced:
      (listener: RequestListener): RequestListener =>
      (request, response) => {
        const trace: Trace = { writes: [], refusal: undefined }
        const clientPort = request.socket.remotePort ?? 0
        response.once('close', () => {
          if (!isRefused(request, response)) return
          const { statusCode: status } = response
          const told = { clientPort, request: `${request.method} ${request.url?.slice(0, 200)}`, status }
          const changes = trace.writes.filter((name) => status !== 401 || !ALLOWED_401.test(name))
          trace.refusal = { ...told, writes: changes }
          if (changes.length > 0) refused.push(trace.refusal)
        })
        traces.run(trace, () => {
          listener(request, response)
        })
      },
  }
}

/** By what it answers, a call has changed nothing. */
function isUnchanged(answer: unknown): boolean {
  const kind = typeof answer === 'object' && answer !== null && 'kind' in answer ? answer.kind : answer
  return NOTHING.includes(kind)
}

function callOf(store: Store, port: StorePort, name: string): PortFunction {
  const calls = store[port] as unknown as Readonly<Record<string, PortFunction>>
  const call = calls[name]
  if (!call) throw new TypeError(`the store has no ${port}.${name}`)
  return call.bind(calls)
}

/** One that did not arrive whole is refused as well, but for what was answered before that showed. */
function isRefused(request: IncomingMessage, response: ServerResponse): boolean {
  return response.headersSent ? response.statusCode >= 400 : !request.complete
}
