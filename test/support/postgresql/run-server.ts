import { dataFolder } from '../memory-folder.js'
import { hasTool } from '../required-tools.js'
import { FAST, startCluster } from './cluster.js'
import { FIXTURE_URL } from './server.js'

/** Starts the PostgreSQL server of a run, unless no program is installed; returns a function that stops it. */
export async function startPostgresql(): Promise<() => Promise<unknown>> {
  if (!hasTool('postgresql')) return () => Promise.resolve()
  const cluster = await startCluster(dataFolder(), FAST)
  process.env[FIXTURE_URL] = cluster.urlOf()
  return cluster.stop
}
