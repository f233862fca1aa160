import type { FinishOutcome } from '../../domain/upgrade.js'
import type { Instant } from '../../domain/instant.js'
import type { Upgrades } from '../instances.js'
import { compareSchema, decideContraction, type SchemaPlan, type SchemaRecord } from '../schema-mark.js'
import { connectDatabase, type Database } from './database.js'
import { asRefusal } from './errors.js'
import { readInstances } from './instances.js'
import type { PostgresOptions } from './options.js'
import { foreignTables, lockSchema, PLAN, readMark, writeMark, type Run } from './schema.js'

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
