import type { MongoClient } from 'mongodb'

export type Injection = {
  readonly at: number
  /** Whether all later round trips of the same method also fail. */
  readonly forGood?: boolean
  /** `lost`: the server has executed the command, but its reply is replaced. */
  readonly when: 'refused' | 'lost'
  /** Throws the injected error, or returns the injected reply. */
  readonly answer: () => unknown
}

export type Injector = {
  readonly onClient: (client: MongoClient) => void
  /** Runs `work` with this injection; returns the driver methods that called the server. */
  during(injection: Injection | undefined, work: () => Promise<unknown>): Promise<readonly string[]>
}

export function createInjector(): Injector {
  let current: Injection | undefined
  let trips: string[] = []

  async function roundTrip(method: string, go: () => Promise<unknown>): Promise<unknown> {
    const index = trips.push(method) - 1
    const isHit = index === current?.at || (current?.forGood === true && trips[current.at] === method)
    const hit = isHit ? current : undefined
    if (!hit) return await go()
    if (hit.when === 'lost') await go()
    return hit.answer()
  }

  function wrapped<T extends object>(target: T): T {
    return new Proxy(target, {
      get(_, name) {
        const member: unknown = Reflect.get(target, name, target)
        if (typeof member !== 'function') return member
        return (...args: unknown[]) => {
          const go = () => Reflect.apply(member, target, args) as unknown
          if (!ROUND_TRIPS.has(String(name))) return handle(go())
          const isUpsert = JSON.stringify(args).includes('"upsert":true')
          return roundTrip(`${String(name)}${isUpsert ? UPSERT : ''}`, async () => await go())
        }
      },
    })
  }

  function handle(result: unknown): unknown {
    return typeof result === 'object' && result !== null ? wrapped(result) : result
  }

  return {
    onClient: (client) => {
      const db = client.db.bind(client)
      client.db = (...args) => wrapped(db(...args))
    },
    during: async (injection, work) => {
      current = injection
      trips = []
      try {
        await work()
      } finally {
        current = undefined
      }
      return trips
    },
  }
}

export const UPSERT = ' with upsert'

const ROUND_TRIPS = new Set([
  ...['command', 'toArray', 'next', 'findOne', 'countDocuments', 'estimatedDocumentCount'],
  ...['insertOne', 'insertMany', 'updateOne', 'updateMany', 'replaceOne', 'deleteOne', 'deleteMany'],
  ...['findOneAndUpdate', 'findOneAndReplace', 'findOneAndDelete', 'bulkWrite', 'createIndexes', 'distinct'],
])
