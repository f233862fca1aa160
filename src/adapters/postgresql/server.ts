import { unavailable } from '../../domain/refusal.js'
import type { Database } from './database.js'

const OLDEST = 14

const OF_SERVER = `
  SELECT current_setting('server_version'), current_setting('server_version_num')::int / 10000,
    current_setting('synchronous_commit'), current_setting('synchronous_standby_names'),
    (SELECT count(*) FROM pg_stat_replication)`

type ServerRow = readonly [
  version: string,
  major: number,
  commit: string,
  synchronous: string,
  standbys: number,
]

/**
 * Rejects with `unavailable` if the server is too old. Calls `onWarning` if the server may lose a write that it has acknowledged: after a
 * crash, or when a standby takes over.
 */
export async function checkServer(
  { statements }: Pick<Database, 'statements'>,
  onWarning: (sentence: string) => void = () => undefined,
): Promise<void> {
  const row = (await statements.read<ServerRow>(OF_SERVER).get()) as ServerRow
  const [version, major, commit, synchronous, standbys] = row
  if (major < OLDEST)
    throw unavailable(
      `The PostgreSQL server is too old: it is version ${version}, and must be version ${OLDEST} or newer.`,
    )
  if (commit === 'off')
    onWarning(
      'synchronous_commit is off, so PostgreSQL may lose the last writes when it crashes: set it to on.',
    )
  else if (standbys > 0 && (synchronous === '' || commit === 'local'))
    onWarning(
      'Commits do not wait for a standby, so the last writes may be lost in a failover: set synchronous_standby_names, and synchronous_commit to on.',
    )
}
