import type { Caller } from '../../domain/access/caller.js'
import type { Action, Component, Permissions } from '../../domain/access/permissions.js'
import { refuse } from '../../domain/refusal.js'

/** Refuses an action that no role of the caller grants. */
export type Authorize = <C extends Component>(caller: Caller, component: C, action: Action<C>) => void

/**
 * `unauthenticated` where there is no identity that could hold the grant, else `forbidden`.
 */
export function createAuthorize(permissions: Permissions): Authorize {
  return (caller, component, action) => {
    if (permissions.allows(caller, component, action)) return
    const detail = `${component}:${action} is not granted`
    if (caller.kind === 'anonymous') {
      throw refuse('unauthenticated', 'Forbidden', 'Authentication is required.', detail)
    }
    throw refuse('forbidden', 'Forbidden', 'This action is not granted to you.', detail)
  }
}
