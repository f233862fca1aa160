import type { Db, Document } from 'mongodb'
import type { Query } from './command-log.js'

/** The server's explanation of a query, in nested objects. */
export type Plan = Document

type Part = Readonly<Record<string, unknown>>

/** Omitted, because rejected plans and the repeated query are not part of the executed plan. */
const BESIDE = ['rejectedPlans', 'command', 'parsedQuery']
const SCANNING_JOINS = ['NestedLoopJoin', 'HashJoin']

/** Explains a query without changing data. */
export async function explain(db: Db, query: Query): Promise<Plan> {
  return await db.command({ explain: query, verbosity: 'executionStats' })
}

/** Whether the query read a whole collection; `true` for a missing collection, which proves nothing. */
export function scansCollection(plan: Plan): boolean {
  return partsOf(plan).some(
    ({ stage, collectionScans, strategy }) =>
      stage === 'COLLSCAN' ||
      stage === 'EOF' ||
      Number(collectionScans ?? 0) > 0 ||
      SCANNING_JOINS.includes(String(strategy)),
  )
}

/** Whether the server sorted documents because no index has their order. */
export function sorts(plan: Plan): boolean {
  return partsOf(plan).some(({ stage }) => stage === 'SORT')
}

/** The number of examined documents or index entries. */
export function examined(plan: Plan): number {
  const { totalDocsExamined, totalKeysExamined } = plan['executionStats'] as Readonly<Record<string, number>>
  return Math.max(totalDocsExamined ?? Number.NaN, totalKeysExamined ?? Number.NaN)
}

/** The names of the indexes that the plan uses. */
export function indexesOf(plan: Plan): Set<string> {
  const named = partsOf(plan).flatMap(({ indexName, indexesUsed }) => [indexName, indexesUsed].flat())
  return new Set(named.filter((name) => typeof name === 'string'))
}

/** The names of the indexes that joins with this collection use. */
export function joinsOf(plan: Plan, from: string): readonly string[][] {
  const joins = partsOf(plan).filter(({ $lookup }) => isJoinOf($lookup, from))
  return joins.map(({ indexesUsed }) => (Array.isArray(indexesUsed) ? indexesUsed.map(String) : []))
}

function isJoinOf(join: unknown, from: string): boolean {
  return typeof join === 'object' && join !== null && 'from' in join && join.from === from
}

function partsOf(value: unknown): Part[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(partsOf)
  const within = Object.entries(value).filter(([name]) => !BESIDE.includes(name))
  return [value as Part, ...within.flatMap(([, one]) => partsOf(one))]
}
