import { setTimeout as pause } from 'node:timers/promises'
import { processesIn, until } from '../cli/workers.js'
import { stopProcess } from '../support/stop-process.js'
import type { Failure } from './failure-campaign.js'

const LONGEST_STOP = 1_000

export const PROCESS_KILLS: Readonly<Record<string, Failure>> = {
  'SIGKILL of a worker': async ({ site, random }) => {
    const { pids, pidOf } = site.service()
    const number = 1 + random.below(pids().length)
    const pid = pidOf(number)
    process.kill(pid, 'SIGKILL')
    await until(() => pidOf(number) !== pid)
    await site.becomesReady()
  },
  'SIGKILL of the service': async ({ site }) => {
    await site.service().killAll()
    await site.start()
  },
  'SIGSTOP of a worker': async ({ site, random }) => {
    const pid = random.pick(site.service().pids())
    await stopProcess(pid)
    await pause(random.below(LONGEST_STOP))
    process.kill(pid, 'SIGCONT')
    await site.becomesReady()
  },
  // The workers detect the end of the primary process and exit.
  'SIGKILL of the primary process': async ({ site }) => {
    const before = processesIn(site.folder)
    await site.service().killPrimary()
    await site.start()
    await until(() => processesIn(site.folder).every((pid) => !before.includes(pid)))
  },
}
