import type { Caller } from '../../domain/access/caller.js'
import type { Action, Component, Components, NoComponents } from '../../domain/access/components.js'
import type { Permissions } from '../../domain/access/permissions.js'
import { freshLoginRequired, missingProofs, type StepUp } from '../../domain/access/step-up.js'
import type { Instant } from '../../domain/instant.js'
import { notPermitted, refuse, whileImpersonating, type Refusal } from '../../domain/refusal.js'
import type { PasskeyVerifier } from '../../ports/passkeys.js'
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
 * perform operators' actions. If the permissions have a condition that the login does not meet, refuses with `fresh-login-required`; its
 * messages name the fields to send to `confirmLogin`, and `passkey` if passkeys are enabled. Without a `clock`, no login meets a condition
 * that limits the age of a proof. `refusalOf` creates the refusal for a missing permission.
 */
export function createAuthorize<Own extends Components>(
  permissions: Permissions<Own>,
  clock: Clock = () => Number.NaN,
  hasPasskeys = false,
  refusalOf: (permission: string, caller: Caller) => Refusal = missingPermission,
): Authorize<Own> {
  return (caller, component, action) => {
    const permission = `${component}: ${action}`
    const decision = permissions.decide(caller, component, action)
    if ('denial' in decision)
      throw decision.denial === 'impersonating' ? whileImpersonating() : refusalOf(permission, caller)
    const { conditions } = decision
    const needed = { permission, conditions, hasPasskeys }
    if (conditions.length > 0 && !isProved(caller, needed, clock()))
      throw refusalOf(`${permission} (without a condition)`, caller)
    return Object.freeze({ caller, component, action }) as Authorized<never, never, never>
  }
}

function missingPermission(permission: string, { kind }: Caller): Refusal {
  if (kind !== 'anonymous') return notPermitted(permission, kind === 'cli' ? 'cli' : undefined)
  const detail = `${permission} is not permitted`
  return refuse('unauthenticated', 'Forbidden', 'Authentication is required.', detail)
}

export type AuthorizeParts = {
  readonly permissions: Permissions
  readonly clock: Clock
  /** Absent if passkeys are off. */
  readonly passkeyVerifier?: PasskeyVerifier | undefined
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
