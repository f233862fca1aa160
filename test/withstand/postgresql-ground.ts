import { setTimeout as pause } from 'node:timers/promises'
import { openPostgres } from '../../src/adapters/postgresql/store.js'
import { startReplicated, type Replicated } from '../postgresql-faults/replicated.js'
import type { Failure, Ground } from './failure-campaign.js'
import { PROCESS_KILLS } from './process-kills.js'

/** How long the standby is frozen before its primary is killed, in milliseconds. */
const BEHIND = 250
/** How long the clients use a standby that lacks the last changes, in milliseconds. */
const STALE = 1_000
/** The number of client steps while the standby receives records but does not apply them. */
const STEPS = 50

/** Starts a primary with a synchronous standby; the faults kill one of these servers or a process of the service. */
export async function openPostgresqlGround(): Promise<Ground> {
  const replicated = await startReplicated()
  const { url } = replicated
  const open = () => openPostgres(url, { timeout: 30_000, startTimeout: 60_000 })
  await (await open()).close()
  const failures = { ...serverFailures(replicated), ...PROCESS_KILLS }
  return { url, failures, open, damages: () => Promise.resolve([]), close: replicated.stop }
}

function serverFailures(replicated: Replicated): Readonly<Record<string, Failure>> {
  const { primary, standby, onStandby, move, failOver } = replicated
  return {
    'SIGKILL of PostgreSQL': async ({ site }) => {
      await primary().kill()
      await site.becomesUnready()
      await primary().restart()
      await site.becomesReady()
    },
    // The standby lacks the last writes of the primary. No client has got a reply to these writes, because commits wait for the standby.
    'SIGKILL of a primary that is ahead': async ({ site }) => {
      await standby().freeze()
      await pause(BEHIND)
      await primary().kill()
      // The standby's kernel has received writes that the frozen process has not read; they are lost only if the process ends.
      await standby().kill()
      await standby().restart()
      await failOver()
      await site.becomesReady()
    },
    'a standby that is late in its replay takes over': async ({ site, load }) => {
      await onStandby('SELECT pg_wal_replay_pause()')
      load.prefersEnds(true)
      await load.steps(STEPS)
      move()
      await site.becomesUnready()
      // The clients repeat their requests until they succeed, so they make no further step before the failover.
      await pause(STALE)
      load.prefersEnds(false)
      await failOver()
      await site.becomesReady()
    },
  }
}
