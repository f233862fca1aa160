import { instanceIn, instanceText, KEPT_FOR, type InstanceRecords } from '../instances.js'
import type { Instance } from '../../domain/upgrade.js'
import type { Database } from './database.js'
import type { Connection } from './driver.js'
import { PLAN, versionOf } from './schema.js'

const PREFIX = 'instance '

/** Records the instances in the table `meta`. The statements are prepared for each call, because a call runs once a minute. */
export function createInstances({ prepare, write }: Database): InstanceRecords {
  return {
    put: (id, servedAt) =>
      write(() => {
        const text = instanceText(PLAN.version, servedAt)
        prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(`${PREFIX}${id}`, text)
        prepare("DELETE FROM meta WHERE key LIKE 'instance %' AND json_extract(value, '$.servedAt') < ?").run(
          servedAt - KEPT_FOR,
        )
        versionOf({ prepare })
      }),
    remove: (id) =>
      write(() => {
        prepare('DELETE FROM meta WHERE key = ?').run(`${PREFIX}${id}`)
      }),
  }
}

export function readInstances({ prepare }: Pick<Connection, 'prepare'>): readonly Instance[] {
  const rows = prepare<readonly [key: string, value: string]>(
    "SELECT key, value FROM meta WHERE key LIKE 'instance %' ORDER BY key",
  ).all()
  return rows.map(([key, value]) => instanceIn(key.slice(PREFIX.length), value))
}
