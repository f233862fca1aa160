import type { Asked, PostPath } from './described.js'
import type { KennelClient } from './index.js'
import { bodyOf, member } from './reply.js'
import { readToken } from './token.js'

/** What of a client the calls of an account are built upon. */
export type AccountLogin = Pick<KennelClient, 'adopt' | 'fetch' | 'logout' | 'replaceLogin' | 'tokens'>

/**
 * The current password and the one in its place.
 *
 * @useDeclaredType
 */
export type PasswordChange = Asked<'/api/auth/change-password'>

/**
 * What users do with the account that they are logged in to, where the permissions allow it; not while another account
 * is acted as (403). Each call rejects with a KennelError.
 */
export type AccountClient = {
  /**
   * Changes the password: all other logins of the account end, and this one goes on in all tabs. Where `password` is not
   * the current one, or `newPassword` may not be one, it fails with status 400 and says so of that field.
   */
  readonly changePassword: (change: PasswordChange) => Promise<void>
  /** Ends a session of the account; where it is that of this client, this is a logout. Status 404 where there is none. */
  readonly endSession: (id: string) => Promise<void>
  /** Ends all sessions of the account but that of this client; gives their number. */
  readonly endOtherSessions: () => Promise<number>
}

/** The calls for the account that `client` is logged in to. It holds nothing itself. */
export function createAccount(client: AccountLogin): AccountClient {
  function post<P extends PostPath>(path: P, body: Asked<P>): Promise<Response> {
    const headers = { 'Content-Type': 'application/json' }
    return client.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  }

  return {
    changePassword: async (change) => {
      await client.replaceLogin('/api/auth/change-password', change)
    },
    endSession: async (id) => {
      if (readToken(client.tokens()?.accessToken ?? '').session === id) await client.logout()
      else await bodyOf(await post('/api/auth/sessions/end', { id }), isEnded)
    },
    endOtherSessions: async () =>
      (await bodyOf(await post('/api/auth/sessions/end', { others: true }), isEnded)).view.ended,
  }
}

function isEnded(json: unknown): json is { readonly view: { readonly ended: number } } {
  return typeof member(member(json, 'view'), 'ended') === 'number'
}
