import type { Bench, BenchOptions, Checker, Round } from '../checker.js'
import { beginAccount } from './objects/account-course.js'
import { beginIdempotencyKeys } from './objects/idempotency-key.js'
import { beginLoginLimit } from './objects/login-limit.js'
import { beginOneTimeCode } from './objects/one-time-code.js'
import { beginPet } from './objects/pet.js'
import { beginResetToken } from './objects/reset-token.js'
import { beginSession } from './objects/session.js'
import type { Place } from './place.js'
import { PLANTED } from './planted/planted.js'
import { playOf, type Play } from './play.js'
import { openProcessPlace } from './process-place.js'
import { openSinglePlace } from './single-place.js'
import { openWorkerPlace } from './worker-place.js'

/** A history of each of them, all at once, is a round. */
const OBJECTS: readonly Play[] = [
  playOf('session', 1, beginSession),
  playOf('account', 2, beginAccount),
  playOf('pet', 3, beginPet),
  playOf('idempotency keys', 4, beginIdempotencyKeys),
  playOf('reset tokens', 5, beginResetToken),
  playOf('limit of logins', 6, beginLoginLimit),
  playOf('one-time codes', 7, beginOneTimeCode),
]

/** After so many rounds everything is opened anew, so that neither the data nor the processes grow without end. */
const ROUNDS_OF_A_PLACE = 100

async function openBench(
  openPlace: (options: BenchOptions) => Promise<Place>,
  options: BenchOptions,
): Promise<Bench> {
  let [place, rounds] = [await openPlace(options), 0]
  return {
    round: async (seed) => {
      if (rounds > 0 && rounds % ROUNDS_OF_A_PLACE === 0) {
        await place.close()
        place = await openPlace(options)
      }
      rounds += 1
      const played = await Promise.all(OBJECTS.map((play) => play(place, seed)))
      return roundOf(played)
    },
    close: () => place.close(),
  }
}

/** A history whose search was given up is not among those that were compared. */
function roundOf(played: readonly Awaited<ReturnType<Play>>[]): Round {
  return {
    histories: played.filter(({ givenUp }) => !givenUp).length,
    operations: played.reduce((sum, { operations }) => sum + operations, 0),
    faults: played.reduce((sum, { cuts }) => sum + cuts, 0),
    violations: played.flatMap(({ violation }) => violation ?? []),
    undecided: played.filter(({ givenUp }) => givenUp).length,
  }
}

export const concurrencyChecker: Checker = {
  name: 'concurrency',
  title: 'Histories of 4 to 16 clients at once on one object have an order that its specification allows',
  stores: ['memory', 'sqlite', 'mongodb'],
  open: (options) => openBench(openSinglePlace, options),
  planted: PLANTED,
}

export const concurrencyProcessesChecker: Checker = {
  name: 'concurrency-processes',
  title: 'The same with two processes on one SQLite file, or on a replica set of three',
  stores: ['sqlite', 'mongodb'],
  open: (options) => openBench(openProcessPlace, options),
  planted: PLANTED,
}

export const concurrencyWorkersChecker: Checker = {
  name: 'concurrency-workers',
  title: 'The same with the four workers of the real service',
  stores: ['sqlite', 'mongodb'],
  open: (options) => openBench(openWorkerPlace, options),
  planted: PLANTED,
}
