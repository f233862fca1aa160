import { platform } from 'node:process'
import type { Checker } from '../checker.js'
import { openCrashBench } from './bench.js'
import { PLANTED } from './planted.js'

/** Kills processes under load, and compares all that is there afterwards with what was acknowledged. */
export const crashesChecker: Checker = {
  name: 'crashes',
  title:
    'SIGKILL of a worker, the primary process, the whole service, the primary of the database, at any moment under load',
  stores: ['sqlite', 'mongodb'],
  open: openCrashBench,
  planted: PLANTED,
  missing: () =>
    platform === 'linux' ? undefined : 'Linux alone tells which processes of a killed service are left',
}
