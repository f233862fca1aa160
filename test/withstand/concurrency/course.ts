import type { Operation } from './history.js'
import type { Calls } from './calls.js'
import type { Place } from './place.js'
import type { Random } from '../random.js'
import type { Specification } from './specification.js'

/** One operation that a client is about to begin. */
export type Step<Input, Output> = {
  readonly input: Input
  /** Resolves with `undefined` where no answer came. */
  readonly run: () => Promise<Output | undefined>
}

/** An object that was made for one history, and what clients do with it. */
export type Course<State, Input, Output> = {
  readonly specification: Specification<State, Input, Output>
  /** Draws what a client does next; it may use what any client has been answered by now. */
  next(client: number): Step<Input, Output>
  /** What is looked at when all clients are done. */
  readonly last?: () => Step<Input, Output>
  /** Where one request does several things, one after the other: those of what was recorded. */
  readonly partsOf?: (operation: Operation<Input, Output>) => readonly Operation<Input, Output>[]
}

export type HistoryParts = { readonly place: Place; readonly calls: Calls; readonly random: Random }

/** Makes the object. */
export type Begin<State, Input, Output> = (parts: HistoryParts) => Promise<Course<State, Input, Output>>
