import type {
  FactorSetUp,
  OwnSession,
  Passkey,
  PostPath,
  RequestBody,
  SecondFactor,
  SessionQuery,
} from './described.js'
import type { KennelClient } from './index.js'
import { KennelError } from './kennel-error.js'
import { askAuthenticator, signalAccepted, type PasskeyChoices } from './passkey.js'
import { pageOf, pagesOf, withQuery, bodyOf, member, successOf, unreadable } from './reply.js'
import { readToken } from './login.js'

/** Entry point `kennel-id/account`: the client for a user's own password, sessions, passkeys and second factor. */
export type { FactorSetUp, OwnSession, Passkey, SecondFactor, SessionQuery } from './described.js'

/** One page of sessions; `next` is the cursor for the next page, and is absent on the last page. */
export type SessionPage = { readonly sessions: readonly OwnSession[]; readonly next?: string }

/** The client methods that the account client uses. */
export type AccountLogin = Pick<KennelClient, 'adopt' | 'fetch' | 'logout' | 'replaceLogin' | 'tokens'>

/** The current password and the new password. @useDeclaredType */
export type PasswordChange = RequestBody<'/api/auth/change-password'>

/** The password and a code, for removing a second factor. @useDeclaredType */
export type FactorProof = RequestBody<'/api/auth/second-factor/remove'>

/** The password and a code, for creating new recovery codes. @useDeclaredType */
export type RecoveryProof = RequestBody<'/api/auth/second-factor/recovery-codes'>

/** The password, and a code if the account has a second factor, for deleting an account. @useDeclaredType */
export type DeletionProof = RequestBody<'/api/auth/delete-account'>

/** The password, and a code if the account has a second factor, for exporting the data of an account. @useDeclaredType */
export type ExportProof = RequestBody<'/api/auth/export-account'>

/** What the user enters to confirm the login: the password, and a code if the account has a second factor. @useDeclaredType */
export type Confirmation = RequestBody<'/api/auth/confirm'>

/** The new email and the password. @useDeclaredType */
export type EmailChange = RequestBody<'/api/auth/change-email'>

/** The token or the code from the email to the new address. @useDeclaredType */
export type EmailProof = RequestBody<'/api/auth/change-email/confirm'>

/**
 * Calls for users who manage their own account. The permissions must allow each call; during an impersonation each call fails with status
 * 403. Leave the password out if the account has none: the login must then be fresh, see `addPasskey`. A failed call rejects with a KennelError.
 */
export type AccountClient = {
  /** One page of the account's sessions, oldest first. `limit` is 1 to 100, 20 by default. */
  readonly sessions: (query?: SessionQuery) => Promise<SessionPage>
  /** This page and all later pages, each fetched on demand. */
  readonly sessionPages: (query?: SessionQuery) => AsyncGenerator<SessionPage, void, undefined>
  /**
   * Changes the password. All other logins of the account end; the user of this client stays logged in, in all tabs. Fails with status 400
   * and a message about the field if `password` is wrong or `newPassword` is not allowed.
   */
  readonly changePassword: (change: PasswordChange) => Promise<void>
  /** Ends a session; ending the session of this client logs the user out. Fails with status 404 if the session does not exist. */
  readonly endSession: (id: string) => Promise<void>
  /** Ends all sessions of the account except the session of this client, and returns the number of ended sessions. */
  readonly endOtherSessions: () => Promise<number>
  /** Returns whether the account has a second factor, whether a role requires it, and how many recovery codes are left. */
  readonly secondFactor: () => Promise<SecondFactor>
  /**
   * Returns the data for an authenticator app, which the service shows only once. The second factor stays inactive until it is confirmed
   * with `confirmSecondFactor`. Fails with status 409 if the account has a second factor.
   */
  readonly setUpSecondFactor: (password?: string) => Promise<FactorSetUp>
  /**
   * Confirms the second factor with a code from the app. Returns the recovery codes, shown only once. The user stays logged in, in all
   * tabs.
   */
  readonly confirmSecondFactor: (code: string) => Promise<readonly string[]>
  /** Removes the second factor; afterwards the password alone is enough to log in. `code` is a code from the app or a recovery code. */
  readonly removeSecondFactor: (proof: FactorProof) => Promise<SecondFactor>
  /**
   * Returns ten new recovery codes, which the service shows only once; the previous codes become invalid. `code` is a code from the app or
   * a recovery code. Fails with status 409 if the account has no second factor.
   */
  readonly renewRecoveryCodes: (proof: RecoveryProof) => Promise<readonly string[]>
  /** Requests an email to the new address. The account keeps its email until `confirmEmailChange`. */
  readonly changeEmail: (change: EmailChange) => Promise<void>
  /** Changes the email of the account that requested the change, and ends all sessions of the account. Needs no login. */
  readonly confirmEmailChange: (proof: EmailProof) => Promise<void>
  /** Restores the previous email with the token from the email to this address, and ends all sessions. Needs no login. */
  readonly undoEmailChange: (token: string) => Promise<void>
  /**
   * Confirms the login after a call that failed with status 401 and the message `fresh-login-required`, whose fields name what to send. The
   * user stays logged in, in all tabs. Repeat the failed call afterwards.
   */
  readonly confirm: (proof: Confirmation) => Promise<void>
  /** Works like `confirm`, but with a passkey of the account. Fails like `addPasskey` if no passkey was used. */
  readonly confirmWithPasskey: (choices?: PasskeyChoices) => Promise<void>
  /**
   * Returns the passkeys of the account, oldest first. In browsers with `signalAllAcceptedCredentials`, password managers then forget
   * removed passkeys.
   */
  readonly passkeys: () => Promise<readonly Passkey[]>
  /**
   * Asks the browser to create a passkey, and adds the passkey to the account. Fails with `cancelled` if the user cancels, with
   * `unsupported` if the browser cannot use passkeys here, with `Duplicate` if this device already has a passkey of the account, and with
   * `fresh-login-required` if the last login or confirmation is older than ten minutes.
   */
  readonly addPasskey: (name?: string, choices?: PasskeyChoices) => Promise<Passkey>
  /** Renames a passkey. Fails with status 404 if the account has no such passkey. */
  readonly renamePasskey: (id: string, name: string) => Promise<void>
  /** Removes a passkey. Fails with status 409 if the account has no password and no other passkey. Needs a recent login, like `addPasskey`. */
  readonly removePasskey: (id: string) => Promise<void>
  /** Returns all data about the account, without credentials. */
  readonly exportAccount: (proof: ExportProof) => Promise<Readonly<Record<string, unknown>>>
  /** Deletes the account permanently and logs out. */
  readonly deleteAccount: (proof: DeletionProof) => Promise<void>
}

type PasskeyList = { readonly passkeys: readonly Passkey[]; readonly rpId: string; readonly userId: string }

const FACTOR = '/api/auth/second-factor'
const EMAIL = '/api/auth/change-email'
const PASSKEYS = '/api/auth/passkeys'
const CONFIRM = '/api/auth/confirm'

/** Creates the account methods for the user who is logged in with `client`; the methods keep no state. */
export function createAccount(client: AccountLogin): AccountClient {
  function post<P extends PostPath>(path: P, body: RequestBody<P>, more?: RequestInit): Promise<Response> {
    const headers = { 'Content-Type': 'application/json' }
    return client.fetch(path, { method: 'POST', headers, body: JSON.stringify(body), ...more })
  }

  /** Needs the cookie that binds an email to the browser, even in stateless mode. */
  function prove<P extends PostPath>(path: P, body: RequestBody<P>): Promise<void> {
    return done(post(path, body, { credentials: 'include' }))
  }

  const ask = (kind: 'create' | 'get', path: string, choices?: PasskeyChoices) =>
    askAuthenticator(kind, (signal) => client.fetch(`${path}/begin`, { method: 'POST', signal }), choices)

  async function sessions({ limit, cursor }: SessionQuery = {}): Promise<SessionPage> {
    const response = await client.fetch(withQuery('/api/auth/sessions', { limit, cursor }))
    return { sessions: await memberOf(response, 'sessions', areNamed), ...pageOf(response) }
  }

  const end = async (chosen: RequestBody<'/api/auth/sessions/end'>): Promise<number> =>
    await memberOf(
      await post('/api/auth/sessions/end', chosen),
      'ended',
      (ended) => typeof ended === 'number',
    )

  return {
    sessions,
    sessionPages: (query = {}) => pagesOf(sessions, query),
    changePassword: async (change) => {
      await client.replaceLogin('/api/auth/change-password', change)
    },
    endSession: async (id) => {
      if (readToken(client.tokens()?.accessToken ?? '').session === id) await client.logout()
      else await end({ id })
    },
    endOtherSessions: () => end({ others: true }),
    secondFactor: async () => await factorIn(await client.fetch(FACTOR)),
    setUpSecondFactor: async (password) => {
      const { view } = await bodyOf(
        await post(`${FACTOR}/set-up`, { ...(password && { password }) }),
        isSetUp,
      )
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
      await memberOf(await post(`${FACTOR}/recovery-codes`, proof), 'recoveryCodes', isTexts),
    changeEmail: (change) => prove(EMAIL, change),
    confirmEmailChange: (proof) => prove(`${EMAIL}/confirm`, proof),
    undoEmailChange: (token) => prove(`${EMAIL}/undo`, { token }),
    confirm: async (proof) => {
      await client.replaceLogin(CONFIRM, proof)
    },
    confirmWithPasskey: async (choices) => {
      await client.replaceLogin(CONFIRM, { passkey: await ask('get', `${CONFIRM}/passkey`, choices) })
    },
    passkeys: async () => {
      const { passkeys, ...account } = (await bodyOf(await client.fetch(PASSKEYS), isPasskeys)).view
      signalAccepted({ ...account, allAcceptedCredentialIds: passkeys.map(({ id }) => id) })
      return passkeys
    },
    addPasskey: async (name, choices) => {
      const credential = await ask('create', PASSKEYS, choices)
      return await memberOf(await post(PASSKEYS, { credential, ...(name && { name }) }), 'passkey', hasId)
    },
    renamePasskey: (id, name) => done(post(`${PASSKEYS}/rename`, { id, name })),
    removePasskey: (id) => done(post(`${PASSKEYS}/remove`, { id })),
    exportAccount: async (proof) =>
      await memberOf(
        await post('/api/auth/export-account', proof),
        'export',
        (data) => member(data, 'account') !== undefined,
      ),
    deleteAccount: async (proof) => {
      await successOf(await post('/api/auth/delete-account', proof))
      // Notifies the other tabs of the logout. The login has ended even if this request fails.
      await client.logout().catch(() => client.adopt(undefined))
    },
  }
}

/** Returns a member of the reply's `view`. Throws a KennelError if the request failed or the member has an unexpected type. */
async function memberOf<T>(
  response: Response,
  name: string,
  isExpected: (value: unknown) => boolean,
): Promise<T> {
  const value = member(member(await successOf(response), 'view'), name)
  if (!isExpected(value)) throw unreadable(response)
  return value as T
}

function factorIn(response: Response): Promise<SecondFactor> {
  return memberOf(response, 'secondFactor', (factor) => typeof member(factor, 'active') === 'boolean')
}

async function done(replying: Promise<Response>): Promise<void> {
  await successOf(await replying)
}

function isPasskeys(json: unknown): json is { readonly view: PasskeyList } {
  return areNamed(member(member(json, 'view'), 'passkeys'))
}

function areNamed(list: unknown): boolean {
  return Array.isArray(list) && list.every(hasId)
}

function hasId(value: unknown): boolean {
  return typeof member(value, 'id') === 'string'
}

function isSetUp(json: unknown): json is { readonly view: FactorSetUp } {
  return isTexts(['secret', 'uri', 'qrCode'].map((name) => member(member(json, 'view'), name)))
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}
