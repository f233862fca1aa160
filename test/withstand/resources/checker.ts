import type { Checker } from '../checker.js'
import { openBench } from './bench.js'
import { missingLimits } from './limits.js'

/** What a machine runs out of: space on the disk, descriptors, its files, the right time. */
export const resourcesChecker: Checker = {
  name: 'resources',
  title:
    'The disk is full, files are gone, descriptors run out, the clock jumps: a service under load goes through it',
  stores: ['memory', 'sqlite', 'mongodb'],
  planted: {
    'swallowed-writes': 'a write that failed is answered as if it were done',
    'answers-from-cache': 'what is gone is answered from a cache',
    'plain-errors': 'a store that is away is no refusal, but an unexpected error',
    'never-again': 'after the first error nothing works any more',
    'leaked-descriptors': 'each error leaves a descriptor open',
    'written-later': 'what was refused is written later all the same',
    'ratcheting-clock': 'the clock never goes back',
    'cookies-in-log': 'the session cookie of a refused request is logged',
  },
  open: openBench,
  missing: () =>
    process.platform === 'linux' ? missingLimits() : 'limits of a process that runs are set on Linux only',
}
