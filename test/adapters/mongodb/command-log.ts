import type { Document, MongoClient } from 'mongodb'

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
