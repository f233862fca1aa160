import type { Caller } from '../../domain/access/caller.js'
import {
  ACTIONS,
  type Action,
  type Component,
  type Components,
  type NoComponents,
} from '../../domain/access/components.js'
import type { Permissions } from '../../domain/access/permissions.js'
import { refuse } from '../../domain/refusal.js'

/**
 * The proof that a caller is permitted an action: only `Authorize` makes one, and a use case that needs the
 * permission takes it instead of judging by itself. No other object passes for one, whatever members it has.
 */
class Authorized<
  C extends string = Component,
  A extends string = C extends Component ? Action<C> : string,
  Who extends Caller = Caller,
> {
  readonly #permissions: object
  readonly caller: Who
  readonly component: C
  readonly action: A

  constructor(permissions: object, caller: Who, component: C, action: A) {
    this.#permissions = permissions
    this.caller = caller
    this.component = component
    this.action = action
    Object.freeze(this)
  }

  static isAny(value: unknown): value is Authorized {
    return typeof value === 'object' && value !== null && #permissions in value
  }

  static isBy(permissions: Permissions, value: unknown): value is Authorized {
    return Authorized.isAny(value) && value.#permissions === permissions
  }
}

// The type alone, so that no other module can make one.
export type { Authorized }

/**
 * The proof that the caller is permitted the action, also one of an `Own` component; refuses one that no role of the
 * caller permits.
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

/**
 * `unauthenticated` where there is no identity that could have the permission, else `forbidden`.
 */
export function createAuthorize<Own extends Components>(permissions: Permissions<Own>): Authorize<Own> {
  return (caller, component, action) => {
    if (permissions.allows(caller, component, action))
      return new Authorized(permissions, caller, component, action)
    const detail = `${component}:${action} is not permitted`
    if (caller.kind === 'anonymous') {
      throw refuse('unauthenticated', 'Forbidden', 'Authentication is required.', detail)
    }
    throw refuse('forbidden', 'Forbidden', 'This action is not granted to you.', detail)
  }
}

/**
 * For a use case that has no other question to its proof: no compiler tells a program in JavaScript that a caller alone
 * has not been judged, nor that a component of its own opens no use case of ours. Throws a TypeError.
 */
export function assertProven(authorized: Authorized): void {
  if (!Authorized.isAny(authorized) || !Object.hasOwn(ACTIONS, authorized.component))
    throw new TypeError('authorized must be what authorize answered')
}

/** Whether this is a proof, and by these very permissions: for what comes from where no compiler has looked. */
export function isAuthorized(permissions: Permissions, value: unknown): value is Authorized {
  return Authorized.isBy(permissions, value)
}
