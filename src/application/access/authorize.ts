import type { Caller } from '../../domain/access/caller.js'
import type { Action, Component, Components, NoComponents } from '../../domain/access/components.js'
import type { Permissions } from '../../domain/access/permissions.js'
import { notPermitted, refuse } from '../../domain/refusal.js'

declare const judged: unique symbol

/** The proof that a caller is permitted an action. Only `Authorize` makes it, so a function of a host can require it. */
export type Authorized<
  C extends string = Component,
  A extends string = C extends Component ? Action<C> : string,
  Who extends Caller = Caller,
> = {
  readonly caller: Who
  readonly component: C
  readonly action: A
  /** Exists only for the compiler. */
  readonly [judged]: true
}

/**
 * Judges whether the caller may do the action, also of an `Own` component; refuses an action that no role of the caller
 * permits.
 */
export type Authorize<Own extends Components = NoComponents> = <
  C extends Component<Own>,
  A extends Action<C, Own>,
  Who extends Caller,
>(
  caller: Who,
  component: C,
  action: A,
) => Authorized<C, A, Who>

/** Refuses an anonymous caller with `unauthenticated` and any other caller with `forbidden`. */
export function createAuthorize<Own extends Components>(permissions: Permissions<Own>): Authorize<Own> {
  return (caller, component, action) => {
    if (permissions.allows(caller, component, action))
      return Object.freeze({ caller, component, action }) as Authorized<never, never, never>
    const permission = `${component}: ${action}`
    if (caller.kind !== 'anonymous') throw notPermitted(permission, caller.kind === 'cli' ? 'cli' : undefined)
    const detail = `${permission} is not permitted`
    throw refuse('unauthenticated', 'Forbidden', 'Authentication is required.', detail)
  }
}
