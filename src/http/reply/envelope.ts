import type * as z from 'zod'
import type { Identity } from '../../domain/access/caller.js'
import type { Role } from '../../domain/access/role.js'
import type { Message } from '../../domain/refusal.js'
import type { Issued } from '../../application/identity/issue.js'
import type { identityViewSchema } from '../schemas/identity.js'

export type ShownMessage = Message & { readonly code: number }

/** The view of the identity envelope. Every member is always present. */
export type IdentityView = Omit<z.output<typeof identityViewSchema>, 'messages'> & {
  readonly messages: readonly ShownMessage[]
}

export type Envelope<View> = { code: number; response: boolean; view: View }

export function succeeded<View>(code: number, view: View): Envelope<View> {
  return { code, response: true, view }
}

export function success(view: object, code = 200): Envelope<object> {
  return succeeded(code, { ...view, messages: [] })
}

export function loggedOutView(messages: readonly ShownMessage[] = []): IdentityView {
  return {
    jwt: null,
    refreshToken: null,
    refreshed: false,
    loggedIn: false,
    loggedInAs: false,
    user: null,
    userAs: null,
    messages,
    roleList: {},
    groupList: {},
    typeList: {},
  }
}

export function identityView(identity: Identity): IdentityView {
  return {
    ...loggedOutView(),
    loggedIn: true,
    loggedInAs: identity.actor !== undefined,
    user: { id: identity.accountId, email: identity.email },
    userAs: identity.actor ? { id: identity.actor.accountId, email: identity.actor.email } : null,
    roleList: rowsByKey(identity.roles),
  }
}

export function issuedView(issued: Issued, refreshed: boolean): IdentityView {
  return {
    ...identityView(issued.identity),
    jwt: issued.accessToken,
    refreshToken: issued.refreshToken,
    refreshed,
  }
}

export function shownMessages(code: number, messages: readonly Message[]): ShownMessage[] {
  return messages.map(({ message, field, type }) => ({ message, field, type, code }))
}

function rowsByKey(roles: readonly Role[]): IdentityView['roleList'] {
  const rows: IdentityView['roleList'] = {}
  for (const { uuid, key, label } of roles) rows[key] = { uuid, key, label }
  return rows
}
