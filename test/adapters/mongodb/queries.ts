import type { Db, Document, MongoClient, Collection } from 'mongodb'

export type Plan = Document

type Part = Readonly<Record<string, unknown>>

/** Members of the reply that do not describe the executed plan. */
const BESIDE = ['rejectedPlans', 'command', 'parsedQuery']
const SCANNING_JOINS = ['NestedLoopJoin', 'HashJoin']

export async function explain(db: Db, query: Query): Promise<Plan> {
  return await db.command({ explain: query, verbosity: 'executionStats' })
}

/** Whether the query read a whole collection. Also `true` if the collection is missing, because then the plan proves nothing. */
export function scansCollection(plan: Plan): boolean {
  return partsOf(plan).some(
    ({ stage, collectionScans, strategy }) =>
      stage === 'COLLSCAN' ||
      stage === 'EOF' ||
      Number(collectionScans ?? 0) > 0 ||
      SCANNING_JOINS.includes(String(strategy)),
  )
}

export function sorts(plan: Plan): boolean {
  return partsOf(plan).some(({ stage }) => stage === 'SORT')
}

export function examined(plan: Plan): number {
  const { totalDocsExamined, totalKeysExamined } = plan['executionStats'] as Readonly<Record<string, number>>
  return Math.max(totalDocsExamined ?? Number.NaN, totalKeysExamined ?? Number.NaN)
}

export function indexesOf(plan: Plan): Set<string> {
  const named = partsOf(plan).flatMap(({ indexName, indexesUsed }) => [indexName, indexesUsed].flat())
  return new Set(named.filter((name) => typeof name === 'string'))
}

function partsOf(value: unknown): Part[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(partsOf)
  const within = Object.entries(value).filter(([name]) => !BESIDE.includes(name))
  return [value as Part, ...within.flatMap(([, one]) => partsOf(one))]
}

/** A command that searches for documents, without its session fields. */
export type Query = Document

const LOOKING = ['find', 'aggregate', 'update', 'delete', 'findAndModify', 'count', 'distinct']
const OF_THE_SESSION = ['lsid', 'txnNumber', '$clusterTime', '$db', '$readPreference', 'writeConcern']

/** Passes every client query to `take`; splits a command that contains several updates. */
export function watchQueries(client: MongoClient, take: (query: Query) => void): void {
  client.on('commandStarted', ({ commandName, command }) => {
    if (!LOOKING.includes(commandName)) return
    const entries = Object.entries(command).filter(([name]) => !OF_THE_SESSION.includes(name))
    for (const query of singly(Object.fromEntries(entries))) take(query)
  })
}

/** The server can explain only one update at a time. */
function singly(query: Query): readonly Query[] {
  const updates = query['updates'] as unknown
  return Array.isArray(updates)
    ? updates.map((update) => ({ ...query, updates: [update as unknown] }))
    : [query]
}

/** Returns the same text for two queries that differ only in their values. */
export function shapeOf(query: Query): string {
  const [name = '', ...more] = Object.keys(query)
  const shape = more.map(
    (part) => `${part}: ${JSON.stringify(query[part], (_key, value: unknown) => blank(value))}`,
  )
  return [`${name} ${String(query[name])}`, ...shape].join(', ')
}

/** The driver passes the sort order as a Map. */
function blank(value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value)
  if (Array.isArray(value)) return value.every(isObject) ? (value as unknown[]) : ['?']
  return isObject(value) ? value : '?'
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

/** Records the read preference of each read of the collection; `undefined` means that the URL decides. */
export function watchReads(client: MongoClient, name: string, preferences: unknown[]): void {
  const open = client.db.bind(client)
  client.db = (...given) => {
    const db: Db = open(...given)
    const collectionOf = db.collection.bind(db)
    db.collection = ((wanted: string) => {
      const collection = collectionOf(wanted)
      return wanted === name ? noting(collection, preferences) : collection
    }) as Db['collection']
    return db
  }
}

function noting(collection: Collection, preferences: unknown[]): Collection {
  return new Proxy(collection, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member, target)
      if (typeof value !== 'function') return value
      return (...given: unknown[]): unknown => {
        const isRead = ['find', 'findOne'].includes(String(member))
        if (isRead) preferences.push((given[1] as { readPreference?: unknown } | undefined)?.readPreference)
        return Reflect.apply(value, target, given) as unknown
      }
    },
  })
}
