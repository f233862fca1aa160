import type { MongoClient } from 'mongodb'
import * as driver from 'mongodb'

/** Every error code that the server documents for replies, and the unused numbers between these codes. */
export const SERVER_CODES: readonly number[] = [
  ...Array.from({ length: 450 }, (_, index) => index + 1),
  ...[8000, 9001, 10_003, 10_058, 10_107, 10_334, 11_000, 11_600, 11_601, 11_602, 13_113, 13_297, 13_388],
  ...[13_435, 13_436, 14_031, 16_500, 17_280, 17_405, 31_249, 31_250, 46_841, 50_768, 50_915, 51_003, 51_024],
]

export function serverError(code: number, more: object = {}): Error {
  return new driver.MongoServerError({ ok: 0, code, errmsg: `injected ${String(code)}`, ...more })
}

export function duplicateOf(field: string): Error {
  return serverError(11_000, { keyPattern: { [field]: 1 } })
}

export function throwing(make: () => Error): () => never {
  return () => {
    throw make()
  }
}

/** One error of each class that the driver exports, except usage errors. */
export const DRIVER_ERRORS: readonly Error[] = Object.values(driver)
  .filter((one): one is typeof driver.MongoError => isErrorClass(one))
  .filter((one) => !(one.prototype instanceof driver.MongoInvalidArgumentError))
  .filter((one) => (one as unknown) !== driver.MongoInvalidArgumentError)
  .map((one) => Object.assign(Object.create(one.prototype) as Error, { message: 'injected' }))

export const FOREIGN_ERRORS: readonly Error[] = [
  new Error('plain'),
  new RangeError('Attempt to access memory outside buffer bounds'),
  new TypeError("Cannot read properties of undefined (reading 'firstBatch')"),
  new driver.BSON.BSONError('corrupt cstring'),
  new driver.BSON.BSONRuntimeError('corrupt'),
  Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' }),
  Object.assign(new Error('incorrect header check'), { code: 'Z_DATA_ERROR', errno: -3 }),
]

function isErrorClass(one: unknown): boolean {
  if (typeof one !== 'function') return false
  return one === driver.MongoError || (one.prototype as unknown) instanceof driver.MongoError
}

export type Injection = {
  readonly at: number
  /** Whether all later round trips of the same method also fail. */
  readonly forGood?: boolean
  /** `lost`: the server has executed the command, but its reply is replaced. */
  readonly when: 'refused' | 'lost'
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
