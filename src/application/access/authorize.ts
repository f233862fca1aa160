import type { Caller } from '../../domain/access/caller.js'
import type { Action, Component, Components, NoComponents } from '../../domain/access/components.js'
import type { Permissions } from '../../domain/access/permissions.js'
import { notPermitted, refuse } from '../../domain/refusal.js'

declare const judged: unique symbol

/**
 * Proof that a caller is permitted to perform an action. Only `Authorize` creates such a proof, so a function of a host application can
 * require the proof as an argument.
 */
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
 * Checks whether the caller is permitted to perform the action, including actions of `Own` components; refuses an action that no role of
 * the caller permits.
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

/** Returns the actions that the caller may perform, by component, including the components of the embedder. */
export type PermissionsOf = (caller: Caller) => Components

export function createPermissionsOf({ permissions }: { readonly permissions: Permissions }): PermissionsOf {
  return (caller) => permissions.of(caller)
}
