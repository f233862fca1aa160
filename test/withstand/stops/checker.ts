import type { Checker } from '../checker.js'
import { openBench } from './bench.js'

/** A process that stands still through a window of time, and then goes on as if nothing had been. */
export const stopsChecker: Checker = {
  name: 'stops',
  title:
    'The service, a worker, one of two instances or the primary of the database stands still through its windows, and goes on',
  stores: ['sqlite', 'mongodb'],
  planted: {
    'late-rotation': 'a refresh looks, waits, and then writes whatever has become of the session',
    'delayed-logout': 'a logout is acknowledged, and carried out later',
    'endless-grace': 'the window of a spent refresh token never ends',
    'stale-session': 'a session that was found once is active for ever',
    'written-behind': 'a pet is acknowledged, and written later',
  },
  open: openBench,
  missing: () =>
    process.platform === 'linux' ? undefined : 'processes are looked at below /proc, which is on Linux only',
}
