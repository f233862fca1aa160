import type { Instance } from '../../domain/upgrade.js'
import { instanceIn, instanceText, KEPT_FOR, type InstanceRecords } from '../instances.js'
import type { Database } from './database.js'
import { lockSchema, PLAN, readMark, type Run } from './schema.js'

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
