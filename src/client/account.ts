import type { Asked, FactorSetUp, OwnSession, PostPath, SecondFactor, SessionQuery } from './described.js'
import type { KennelClient } from './index.js'
import { KennelError } from './kennel-error.js'
import { asking, pageOf, pagesOf } from './pages.js'
import { bodyOf, member, successOf } from './reply.js'
import { readToken } from './token.js'

export type { FactorSetUp, OwnSession, SecondFactor, SessionQuery } from './described.js'

/** One page of sessions; `next` is the cursor of the one after it, absent on the last. */
export type SessionPage = { readonly sessions: readonly OwnSession[]; readonly next?: string }

/** What of a client the calls of an account are built upon. */
export type AccountLogin = Pick<KennelClient, 'adopt' | 'fetch' | 'logout' | 'replaceLogin' | 'tokens'>

/**
 * The current password and the one in its place.
 *
 * @useDeclaredType
 */
export type PasswordChange = Asked<'/api/auth/change-password'>

/**
 * What takes a second factor away.
 *
 * @useDeclaredType
 */
export type FactorProof = Asked<'/api/auth/second-factor/remove'>

/**
 * What new recovery codes are made with.
 *
 * @useDeclaredType
 */
export type RecoveryProof = Asked<'/api/auth/second-factor/recovery-codes'>

/**
 * What an account is deleted with.
 *
 * @useDeclaredType
 */
export type DeletionProof = Asked<'/api/auth/delete-account'>

/**
 * What users do with the account that they are logged in to, where the permissions allow it; not while another account
 * is acted as (403). Each call rejects with a KennelError.
 */
export type AccountClient = {
  /** One page of the sessions of the account, the oldest first; 20 where no `limit` (1 to 100) is given. */
  readonly sessions: (query?: SessionQuery) => Promise<SessionPage>
  /** This page and all after it, each fetched when it is asked for. */
  readonly sessionPages: (query?: SessionQuery) => AsyncGenerator<SessionPage, void, undefined>
  /**
   * Changes the password: all other logins of the account end, and this one goes on in all tabs. Where `password` is not
   * the current one, or `newPassword` may not be one, it fails with status 400 and says so of that field.
   */
  readonly changePassword: (change: PasswordChange) => Promise<void>
  /** Ends a session of the account; where it is that of this client, this is a logout. Status 404 where there is none. */
  readonly endSession: (id: string) => Promise<void>
  /** Ends all sessions of the account but that of this client; gives their number. */
  readonly endOtherSessions: () => Promise<number>
  /** Whether the account has a second factor, how many recovery codes are left, and whether a role asks for one. */
  readonly secondFactor: () => Promise<SecondFactor>
  /** What an authenticator app is given, this once. Nothing changes before it is confirmed. Status 409 where there is one. */
  readonly setUpSecondFactor: (password: string) => Promise<FactorSetUp>
  /** Confirms it with a code of the app, and gives the recovery codes, this once. The login goes on in all tabs. */
  readonly confirmSecondFactor: (code: string) => Promise<readonly string[]>
  /** The password alone logs in from then on. A recovery code will do in the place of a code of the app. */
  readonly removeSecondFactor: (proof: FactorProof) => Promise<SecondFactor>
  /**
   * Makes ten new recovery codes and gives them, this once; the previous codes are void. A recovery code also proves the owner
   * instead of a code of the app. Status 409 if there is no second factor.
   */
  readonly renewRecoveryCodes: (proof: RecoveryProof) => Promise<readonly string[]>
  /** Deletes the account for good, and logs out; where the permissions allow it. */
  readonly deleteAccount: (proof: DeletionProof) => Promise<void>
}

const FACTOR = '/api/auth/second-factor'

/** The calls for the account that `client` is logged in to. It holds nothing itself. */
export function createAccount(client: AccountLogin): AccountClient {
  function post<P extends PostPath>(path: P, body: Asked<P>): Promise<Response> {
    const headers = { 'Content-Type': 'application/json' }
    return client.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  }

  async function sessions({ limit, cursor }: SessionQuery = {}): Promise<SessionPage> {
    const response = await client.fetch(asking('/api/auth/sessions', { limit, cursor }))
    return { sessions: (await bodyOf(response, isSessions)).view.sessions, ...pageOf(response) }
  }

  return {
    sessions,
    sessionPages: (query = {}) => pagesOf(sessions, query),
    changePassword: async (change) => {
      await client.replaceLogin('/api/auth/change-password', change)
    },
    endSession: async (id) => {
      if (readToken(client.tokens()?.accessToken ?? '').session === id) await client.logout()
      else await bodyOf(await post('/api/auth/sessions/end', { id }), isEnded)
    },
    endOtherSessions: async () =>
      (await bodyOf(await post('/api/auth/sessions/end', { others: true }), isEnded)).view.ended,
    secondFactor: async () => await factorIn(await client.fetch(FACTOR)),
    setUpSecondFactor: async (password) => {
      const { view } = await bodyOf(await post(`${FACTOR}/set-up`, { password }), isSetUp)
      const { secret, uri, qrCode } = view
      return { secret, uri, qrCode }
    },
    confirmSecondFactor: async (code) => {
      const codes = member(await client.replaceLogin(`${FACTOR}/confirm`, { code }), 'recoveryCodes')
      if (!isTexts(codes)) throw new KennelError('unreadable', { status: 200 })
      return codes
    },
    removeSecondFactor: async (proof) => await factorIn(await post(`${FACTOR}/remove`, proof)),
    renewRecoveryCodes: async (proof) =>
      (await bodyOf(await post(`${FACTOR}/recovery-codes`, proof), isRenewed)).view.recoveryCodes,
    deleteAccount: async (proof) => {
      await successOf(await post('/api/auth/delete-account', proof))
      // Tells the other tabs; there is no login any more, whether or not it arrives.
      await client.logout().catch(() => {
        client.adopt(undefined)
      })
    },
  }
}

async function factorIn(response: Response): Promise<SecondFactor> {
  return (await bodyOf(response, isFactor)).view.secondFactor
}

function isFactor(json: unknown): json is { readonly view: { readonly secondFactor: SecondFactor } } {
  return typeof member(member(member(json, 'view'), 'secondFactor'), 'active') === 'boolean'
}

function isSessions(json: unknown): json is { readonly view: Pick<SessionPage, 'sessions'> } {
  const sessions = member(member(json, 'view'), 'sessions')
  return Array.isArray(sessions) && sessions.every((one) => typeof member(one, 'id') === 'string')
}

function isSetUp(json: unknown): json is { readonly view: FactorSetUp } {
  return isTexts(['secret', 'uri', 'qrCode'].map((name) => member(member(json, 'view'), name)))
}

function isRenewed(json: unknown): json is { readonly view: { readonly recoveryCodes: readonly string[] } } {
  return isTexts(member(member(json, 'view'), 'recoveryCodes'))
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

function isEnded(json: unknown): json is { readonly view: { readonly ended: number } } {
  return typeof member(member(json, 'view'), 'ended') === 'number'
}
