import { Db, MongoClient } from 'mongodb'
import { Client } from 'pg'
import type { PetId } from '../../src/domain/catalogue/pet.js'
import type { Store } from '../../src/ports/store.js'
import { openAt } from '../support/open-at.js'

/** A store module that opens the store at `PLANTED_URL` with the bug that `PLANTED_BUG` names. */
export async function openStore(): Promise<Store> {
  const { PLANTED_URL: url = '', PLANTED_BUG: bug = '' } = process.env
  BEFORE[bug]?.()
  const store = await openAt(URLS[bug]?.(url) ?? url)
  return { ...store, ...AROUND[bug]?.(store) }
}

/** How long a transaction is delayed after its reply, in milliseconds. */
const LATE = 1000

/** For PostgreSQL. */
const URLS: Readonly<Record<string, (url: string) => string>> = {
  'commits-before-the-standby': (url) => `${url}?options=-c%20synchronous_commit%3Dlocal`,
}

const BEFORE: Readonly<Record<string, () => void>> = {
  'one-member-is-enough': () => {
    withOptions({ writeConcern: { w: 1 } })
    const real = Object.getOwnPropertyDescriptor(Db.prototype, 'command')?.value as Db['command']
    Db.prototype.command = function (this: Db, command, options) {
      return real.call(this, 'update' in command ? { ...command, writeConcern: { w: 1 } } : command, options)
    }
  },
  'reads-from-secondaries': () => {
    withOptions({ readPreference: 'secondaryPreferred' })
  },
  'reads-in-recovery': () => {
    const real = Object.getOwnPropertyDescriptor(Client.prototype, 'query')?.value as Client['query']
    Client.prototype.query = function (this: Client, query: unknown, ...more: unknown[]) {
      const changed = isStatement(query)
        ? { ...query, text: query.text.replaceAll('pg_is_in_recovery()', 'false') }
        : query
      return Reflect.apply(real, this, [changed, ...more]) as never
    }
  },
}

const AROUND: Readonly<Record<string, (store: Store) => Partial<Store>>> = {
  'acknowledged-before-the-commit': ({ pets }) => {
    const removed = new Set<PetId>()
    return {
      pets: {
        ...pets,
        find: (id) => (removed.has(id) ? Promise.resolve(undefined) : pets.find(id)),
        remove: (id, ...more) => {
          removed.add(id)
          setTimeout(() => void pets.remove(id, ...more).catch(() => undefined), LATE)
          return Promise.resolve('removed')
        },
      },
    }
  },
  'keys-in-memory': ({ pets }) => {
    const known = new Map<string, PetId>()
    return {
      pets: {
        ...pets,
        insert: async (draft, idempotency) => {
          const key = `${String(idempotency?.scope)} ${String(idempotency?.key)}`
          const id = known.get(key)
          if (id !== undefined) return { kind: 'repeated', id }
          const inserted = await pets.insert(draft)
          if (idempotency && inserted.kind === 'inserted') known.set(key, inserted.id)
          return inserted
        },
      },
    }
  },
  'failed-removal-confirmed': ({ pets }) => ({
    pets: { ...pets, remove: (...given) => pets.remove(...given).catch(() => 'removed' as const) },
  }),
  'failed-logout-confirmed': ({ sessions, audit }) => ({
    sessions: { ...sessions, end: (id) => sessions.end(id).catch(() => 'ended' as const) },
    audit: { ...audit, append: (record) => audit.append(record).catch(() => undefined) },
  }),
  'unexpected-error': ({ pets }) => ({
    pets: {
      ...pets,
      page: (after, limit) => (limit === 7 ? Promise.reject(new Error('planted')) : pets.page(after, limit)),
    },
  }),
}

export const STORE_BUGS: readonly string[] = Object.keys({ ...URLS, ...BEFORE, ...AROUND })

function isStatement(query: unknown): query is { readonly text: string } {
  return typeof query === 'object' && query !== null && 'text' in query
}

type Options = NonNullable<Parameters<MongoClient['db']>[1]>

function withOptions(options: Options): void {
  const real = Object.getOwnPropertyDescriptor(MongoClient.prototype, 'db')?.value as MongoClient['db']
  MongoClient.prototype.db = function (this: MongoClient, name, more) {
    return real.call(this, name, { ...more, ...options })
  }
}
