import { isActing, type Caller } from '../../domain/access/caller.js'
import {
  isOperatorComponent,
  type Action,
  type Component,
  type Components,
  type NoComponents,
} from '../../domain/access/components.js'
import type { Permissions } from '../../domain/access/permissions.js'
import { freshLoginRequired, missingProofs, type StepUp } from '../../domain/access/step-up.js'
import type { Instant } from '../../domain/instant.js'
import { notPermitted, refuse, whileImpersonating } from '../../domain/refusal.js'
import type { Clock } from '../../ports/system.js'

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
  /** Exists only at compile time. */
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

/**
 * Refuses an anonymous caller with `unauthenticated`, and any other caller with `forbidden`. A caller who acts as another account may not
 * perform operators' actions. If the permissions have a condition that the
 * login does not meet, refuses with `fresh-login-required`; its messages name the fields to send to `confirmLogin`, and `passkey` if
 * passkeys are enabled. Without a `clock`, no login meets a condition that limits the age of a proof.
 */
export function createAuthorize<Own extends Components>(
  permissions: Permissions<Own>,
  clock: Clock = () => Number.NaN,
  hasPasskeys = false,
): Authorize<Own> {
  return (caller, component, action) => {
    const permission = `${component}: ${action}`
    const isAllowed = permissions.allows(caller, component, action)
    const conditions = isAllowed ? permissions.conditions(caller, component, action) : []
    const needed = { permission, conditions, hasPasskeys }
    if (isAllowed && (conditions.length === 0 || isProved(caller, needed, clock())))
      return Object.freeze({ caller, component, action }) as Authorized<never, never, never>
    if (isActing(caller) && isOperatorComponent(component)) throw whileImpersonating()
    const missing = isAllowed ? `${permission} (without a condition)` : permission
    if (caller.kind !== 'anonymous') throw notPermitted(missing, caller.kind === 'cli' ? 'cli' : undefined)
    const detail = `${missing} is not permitted`
    throw refuse('unauthenticated', 'Forbidden', 'Authentication is required.', detail)
  }
}

type Needed = {
  readonly permission: string
  readonly conditions: readonly StepUp[]
  readonly hasPasskeys: boolean
}

/**
 * Returns `true` if the login meets at least one condition, and `false` if the caller can never meet any of them. If the user must confirm
 * the login first, refuses the call and names the proofs that the first condition still needs.
 */
function isProved(caller: Caller, { permission, conditions, hasPasskeys }: Needed, at: Instant): boolean {
  const missing = conditions.map((condition) => missingProofs(caller, condition, at))
  if (missing.some((fields) => fields?.length === 0)) return true
  if (!missing[0] || caller.kind !== 'account') return false
  const { hasPassword, hasFactor } = caller
  throw freshLoginRequired(missing[0], { hasPassword, hasFactor, hasPasskeys }, permission)
}

/** Returns the actions that the caller may perform, by component, including the embedder's components. */
export type PermissionsOf = (caller: Caller) => Components

export function createPermissionsOf({ permissions }: { readonly permissions: Permissions }): PermissionsOf {
  return (caller) => permissions.of(caller)
}
