import { setImmediate } from 'node:timers/promises'
import { createCalls } from './calls.js'
import type { Begin, Course } from './course.js'
import { createRecorder, type Operation, type Recorder } from './history.js'
import type { Place } from './place.js'
import { partOf, type Random } from '../random.js'
import { findOrder } from './search.js'
import { violationOf } from './violation.js'

/** What a history came to. */
export type Played = {
  readonly operations: number
  /** Connections that were cut on purpose. */
  readonly cuts: number
  /** Whether the search for an order has ended before it had tried all. */
  readonly givenUp: boolean
  readonly violation?: string
}

/** Plays a history of one kind of object and looks for its order. */
export type Play = (place: Place, seed: number) => Promise<Played>

/** So many clients at least, and at most. */
const CLIENTS = [4, 16] as const
/** Requests of all clients together. */
const OPERATIONS = [32, 44] as const
/** What a search may take; it takes some hundred where there is an order. */
const STEPS = 20_000
/** Each of the many searches of a shrinking. */
const STEPS_OF_SHRINKING = 2_000

/** What plays histories of this object; `part` tells its draws from those of others with the same seed. */
export function playOf<State, Input, Output>(
  object: string,
  part: number,
  begin: Begin<State, Input, Output>,
): Play {
  return async (place, seed) => {
    const random = partOf(seed, part)
    const calls = createCalls(place, random)
    const course = await begin({ place, calls, random })
    const recorded = await record(course, random)
    const history = course.partsOf ? recorded.flatMap(course.partsOf) : recorded
    const verdict = findOrder(history, course.specification, { steps: STEPS })
    const circumstances = { object, seed, steps: STEPS_OF_SHRINKING }
    return {
      operations: recorded.length,
      cuts: calls.cuts(),
      givenUp: verdict.kind === 'given-up',
      ...(verdict.kind === 'impossible' && {
        violation: violationOf(history, course.specification, circumstances),
      }),
    }
  }
}

async function record<State, Input, Output>(
  course: Course<State, Input, Output>,
  random: Random,
): Promise<readonly Operation<Input, Output>[]> {
  const recorder = createRecorder<Input, Output>()
  const count = between(OPERATIONS, random)
  let left = count
  const run = async (client: number) => {
    while (left > 0) {
      left -= 1
      await doStep(recorder, client, course.next(client))
      await turns(random.below(3))
    }
  }
  await Promise.all(Array.from({ length: between(CLIENTS, random) }, (_, client) => run(client)))
  if (course.last) await doStep(recorder, 0, course.last())
  return recorder.operations()
}

async function doStep<Input, Output>(
  recorder: Recorder<Input, Output>,
  client: number,
  { input, run }: ReturnType<Course<unknown, Input, Output>['next']>,
): Promise<void> {
  const end = recorder.invoke(client, input)
  end(await run())
}

function between([least, most]: readonly [number, number], random: Random): number {
  return least + random.below(most - least + 1)
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await setImmediate()
}
