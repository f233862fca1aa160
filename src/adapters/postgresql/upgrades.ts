import type { FinishOutcome, Instance } from '../../domain/upgrade.js'
import type { Instant } from '../../domain/instant.js'
import {
  type Upgrades,
  instanceIn,
  instanceText,
  KEPT_FOR,
  type InstanceRecords,
  compareSchema,
  decideContraction,
  type SchemaPlan,
  type SchemaRecord,
} from '../upgrades.js'
import { connectDatabase, type Database } from './database.js'
import { asRefusal } from './errors.js'
import { foreignTables, lockSchema, PLAN, readMark, writeMark, type Run } from './schema.js'
import type { PostgresOptions } from './options.js'

const PREFIX = 'instance '

/** Records the instances in the table `meta`. */
export function createInstances({ schema, transaction }: Database): InstanceRecords {
  return {
    put: (id, servedAt) =>
      transaction(async (query) => {
        await lockSchema(query, schema)
        await query(
          'INSERT INTO {meta} (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
          ...[`${PREFIX}${id}`, instanceText(PLAN.version, servedAt)],
        )
        const old = (await readInstances(query)).filter((one) => one.servedAt < servedAt - KEPT_FOR)
        for (const one of old) await query(REMOVE, `${PREFIX}${one.id}`)
        await readMark(query, schema)
      }),
    remove: (id) =>
      transaction(async (query) => {
        await query(REMOVE, `${PREFIX}${id}`)
      }),
  }
}

const REMOVE = 'DELETE FROM {meta} WHERE key = ?'

export async function readInstances(query: Run): Promise<readonly Instance[]> {
  const { rows } = await query("SELECT key, value FROM {meta} WHERE key LIKE 'instance %' ORDER BY key")
  return rows.map(([key, value]) => instanceIn(String(key).slice(PREFIX.length), String(value)))
}

/** Creates the functions for `upgrade` commands on a schema in a PostgreSQL database. */
export function postgresUpgrades(
  url: string,
  options: Pick<PostgresOptions, 'schema'>,
  plan: SchemaPlan<string> = PLAN,
): Upgrades {
  const inDatabase = async <T>(work: (query: Run, schema: string) => Promise<T>): Promise<T> => {
    const database: Database = await connectDatabase(url, options)
    try {
      return await database.transaction((query) => work(query, database.schema))
    } catch (error) {
      throw asRefusal(foreignTables(error))
    } finally {
      await database.close()
    }
  }
  return {
    read: () =>
      inDatabase(async (query, schema) => {
        await query('SET TRANSACTION READ ONLY')
        return compareSchema(await readRecord(query, schema), plan)
      }),
    finish: (now) => inDatabase((query, schema) => contract(query, schema, plan, now)),
  }
}

async function readRecord(query: Run, schema: string): Promise<SchemaRecord> {
  const mark = await readMark(query, schema)
  return { mark, instances: mark ? await readInstances(query) : [] }
}

/** Waits for a concurrent caller, and for an instance that is starting. */
async function contract(
  query: Run,
  schema: string,
  plan: SchemaPlan<string>,
  now: Instant,
): Promise<FinishOutcome> {
  await lockSchema(query, schema)
  const contraction = decideContraction(await readRecord(query, schema), plan, now)
  if (contraction.kind !== 'due') return contraction
  for (const step of contraction.steps) await query(step)
  await writeMark(query, contraction.mark)
  return { kind: 'finished' }
}
