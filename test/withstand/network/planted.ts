import { ReadConcern, type MongoClient } from 'mongodb'
import type { Liar } from '../../mongodb-faults/link.js'
import { createForger, createReplayer } from './liars.js'
import type { Store } from '../../../src/ports/store.js'

/** A bug on purpose: in the driver's client, or around the store. */
export type Planted = {
  readonly title: string
  readonly onClient?: (client: MongoClient) => void
  readonly aroundStore?: (store: Store) => Store
  /** In the way of one connection to a server. */
  readonly liar?: () => Liar
}

export const SOUND: Planted = { title: 'nothing is wrong' }

type Options = NonNullable<Parameters<MongoClient['db']>[1]>

export const PLANTED: Readonly<Record<string, Planted>> = {
  'one-is-enough': {
    title: 'a write is acknowledged when the primary alone has it',
    onClient: withOptions({ writeConcern: { w: 1 } }),
  },
  'reads-from-copies': {
    title: 'reads go to members that may be behind',
    onClient: withOptions({ readPreference: 'secondaryPreferred' }),
  },
  'unconfirmed-reads': {
    title: 'reads tell of writes that no majority has',
    onClient: withOptions({ readConcern: new ReadConcern('local') }),
  },
  'unconfirmed-logout': {
    title: 'an end that the store did not confirm is answered as done',
    aroundStore: (store) => ({
      ...store,
      sessions: { ...store.sessions, end: (id) => store.sessions.end(id).catch(() => 'ended' as const) },
      audit: {
        ...store.audit,
        append: (record) => {
          const appended = store.audit.append(record)
          return record.event === 'logout' ? appended.catch(() => undefined) : appended
        },
      },
    }),
  },
  'proxy-acknowledges': {
    title: 'what stands in the way of the server answers an end of a session in its place',
    liar: createForger,
  },
  'proxy-replays': {
    title: 'what stands in the way of the server answers with what it has answered before',
    liar: createReplayer,
  },
  'swallowed-errors': {
    title: 'a removal that failed is answered as done',
    aroundStore: (store) => ({
      ...store,
      pets: {
        ...store.pets,
        remove: (...args) => store.pets.remove(...args).catch(() => 'removed' as const),
      },
    }),
  },
  'change-made-twice': {
    title: 'a change without an answer is sent again, and both are made',
    aroundStore: (store) => ({
      ...store,
      pets: { ...store.pets, patch: (...args) => soon(() => store.pets.patch(...args)) },
    }),
  },
}

const SOON = 100

/** The first answer of two tries, the second of which is made where the first takes a while. */
async function soon<T>(work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const second = new Promise<T>((resolve, reject) => {
    timer = setTimeout(() => void work().then(resolve, reject), SOON)
  })
  second.catch(() => undefined)
  return await Promise.race([work(), second]).finally(() => clearTimeout(timer))
}

function withOptions(options: Options): (client: MongoClient) => void {
  return (client) => {
    const db = client.db.bind(client)
    client.db = (name, more) => db(name, { ...more, ...options })
  }
}
