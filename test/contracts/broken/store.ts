import type { Store } from '../../../src/ports/store.js'
import { type Breakage, breakageOfStore, COPIES, StoreError } from './breakage.js'

const CLOSED = 'store: every call after close is unavailable'
const READS = ['find', 'findMany', 'findByEmail', 'findById', 'page', 'pageOf', 'list']

export const brokenStores: readonly Breakage[] = [
  breakageOfStore('it is never ready', ['store: an open store is ready'], () => ({
    ready: async () => {
      throw new StoreError('not yet')
    },
  })),
  breakageOfStore('closing twice is an error', ['store: closing twice is harmless'], (store) => {
    let closed = false
    return {
      async close() {
        if (closed) throw new StoreError('not open')
        closed = true
        await store.close()
      },
    }
  }),
  breakageOfStore(
    'a closed store throws what its driver throws',
    [CLOSED, 'store: a call that is under way at close is done or unavailable'],
    (store) =>
      everyPort(store, (call) => async (...args) => {
        try {
          return await call(...args)
        } catch {
          throw new StoreError('database is not open')
        }
      }),
  ),
  breakageOfStore(
    'reads hand out the same objects until the next write',
    [
      ...['accounts', 'sessions', 'pets', 'roles', 'apiKeys'].map((port) => `${port}: ${COPIES}`),
      'sessions: changing a page that was handed out changes nothing in the store',
    ],
    (store) => {
      const handedOut = new Map<string, Promise<unknown>>()
      return everyPort(store, (call, name) => (...args) => {
        if (!READS.includes(name.split('.')[1] ?? '')) handedOut.clear()
        const question = `${name}${JSON.stringify(args)}`
        const answer = handedOut.get(question) ?? call(...args)
        handedOut.set(question, answer)
        return answer
      })
    },
  ),
]

type Call = (...args: unknown[]) => Promise<unknown>

/** Every call of every port in other clothes. */
function everyPort(store: Store, dress: (call: Call, name: string) => Call): Partial<Store> {
  const ports = Object.entries(store).filter(([, port]) => typeof port === 'object')
  const dressed = ports.map(([port, calls]) => [
    port,
    Object.fromEntries(
      Object.entries(calls as Record<string, Call>).map(([name, call]) => [
        name,
        dress(call, `${port}.${name}`),
      ]),
    ),
  ])
  return Object.fromEntries(dressed) as Partial<Store>
}
