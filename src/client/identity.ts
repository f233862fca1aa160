import type {
  Identity,
  IdentityEnvelope,
  PostPath,
  Project,
  ProjectDraft,
  ProjectEnvelope,
  Redemption,
  RequestBody,
} from './described.js'
import { createHeldLogin, type LoginOptions, type LoginSharing } from './held-login.js'
import { createLoginState, type IssuedLogin } from './login-state.js'
import type { DatedTokens, Tokens } from './login.js'
import { askAuthenticator, type PasskeyChoices } from './passkey.js'
import { bodyOf, member, unlessLoggedOut, unreadable } from './reply.js'
import type { Send } from './transport.js'

/** The login options, and the name of the header that carries the access token. */
export type IdentityOptions = LoginOptions & {
  /** Name of the header that carries the access token (`IDENTITY_AUTHORIZATION_HEADER`); `X-Authorization` by default. */
  readonly authorizationHeader?: string
}

/** A code from the authenticator app or a recovery code; required only for an account with a second factor. */
export type FactorCode = { readonly code?: string }

/** Whether the user stays logged in after the browser closes. */
type Remember = {
  /**
   * Keeps the login in the `localStorage` of the page. The service must have `REMEMBER_LOGIN=on`: otherwise the cookie disappears when the
   * browser closes, and the next request ends the login.
   */
  readonly remember?: boolean
}

/** A second-factor code, and whether the user stays logged in after the browser closes. */
export type LoginChoices = FactorCode &
  Remember & {
    /** Asks the browser for one of the account's passkeys, to use instead of a code. */
    readonly passkey?: boolean
  }

/** How a user logs in with a passkey. */
export type PasskeyLogin = PasskeyChoices &
  Remember & {
    /** Waits until the user selects a passkey in an input field with `autocomplete="username webauthn"`, instead of opening a dialog. */
    readonly autofill?: boolean
  }

/** The token or the code from the email of a sign-up or an invitation, and the password of the new account. @useDeclaredType */
export type SignUpProof = RequestBody<'/api/auth/sign-up/confirm'>

/** The token or the code from the email of a login, and a code if the account has a second factor. @useDeclaredType */
export type LoginProof = RequestBody<'/api/auth/login-by-mail/confirm'>

/** Calls that let users log in, act as others and log out, if permitted. A failed call rejects with a KennelError. */
export type IdentityClient = {
  /** Opens a new login and ends the previous login. Fails with `Required` for `code` if the account needs a second-factor code. */
  readonly login: (email: string, password: string, choices?: LoginChoices) => Promise<Identity>
  /**
   * Logs in with a passkey, without an email. Fails with `cancelled` if the user cancels or a later call with a passkey begins, with
   * `unsupported` if the browser cannot use passkeys here, and with `LoginFailed` if the service refuses the passkey. With `autofill`, the
   * call may wait for any length of time, and a later call with a passkey ends it; call it again afterwards.
   */
  readonly loginWithPasskey: (choices?: PasskeyLogin) => Promise<Identity>
  /** Asks the service for the current identity; fails with status 401 if the user is not logged in. */
  readonly getIdentity: () => Promise<Identity>
  /**
   * Returns the identity that this client knows, without sending a request. Returns the same object until the identity changes. Returns
   * `undefined` if there is no login, or if this client has only a token pair so far.
   */
  readonly identity: () => Identity | undefined
  /** Calls the listener after each change of `identity()` or of the token pair. Returns a function that unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void
  /** Renews the token pair now. Other calls renew an expired pair automatically. */
  readonly refresh: () => Promise<Identity>
  /** Ends the login both in this client and in the service. If the service cannot be reached, the user stays logged in. */
  readonly logout: () => Promise<void>
  /** Resets a forgotten password. */
  readonly resetPassword: {
    /** Requests an email for setting a new password. The result does not depend on whether the account exists. */
    readonly request: (email: string) => Promise<void>
    /** Sets the password with the token from the email, and ends all logins of the account. */
    readonly consume: (redemption: Redemption) => Promise<void>
  }
  /** Requests the email for a new account. The result does not depend on whether the account exists. */
  readonly signUp: (email: string, challenge?: string) => Promise<void>
  /** Creates the account and logs in. Resolves with `undefined` if an operator has to approve the account. */
  readonly confirmSignUp: (proof: SignUpProof) => Promise<Identity | undefined>
  /** Requests the email for a login in this browser. The result does not depend on whether the account exists. */
  readonly loginByMail: (email: string) => Promise<void>
  /** Logs in, as `login` does. Fails with the message `other-browser` on `token` if another browser requested the email. */
  readonly confirmLoginByMail: (proof: LoginProof) => Promise<Identity>
  /** Acts as another account. Requires a code if the user's own account has a second factor. */
  readonly loginAs: (userId: number, factor?: FactorCode) => Promise<Identity>
  /** Ends the impersonation, so that the user acts as their own account again. */
  readonly logoutAs: () => Promise<Identity>
  /**
   * Sends a POST request whose reply contains a new login. The new login replaces this login in all tabs. Returns the member
   * `view` of the reply. Used by `kennel-id/account`.
   */
  readonly replaceLogin: (path: string, body: object) => Promise<unknown>
  /** Creates a project. */
  readonly createProject: (draft: ProjectDraft) => Promise<Project>
  /**
   * Calls `fetch` with the credentials for a path at the origin of the service. After a 401 the client refreshes the tokens and repeats the
   * request once, unless the body is a stream, which can be read only once.
   */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>
  /** Returns the current token pair, for a program that stores or shares the login itself. */
  readonly tokens: () => Tokens | undefined
  /** Adopts a token pair that another client passed to `onTokens`. Ignores outdated pairs. */
  readonly adopt: (tokens: Tokens | undefined) => void
  /** Stops exchanging the login with other tabs; the client can still send requests. */
  readonly close: () => void
}

type Post = <P extends PostPath>(path: P, body: RequestBody<P>, tokens?: Tokens) => Promise<Response>
const LOGIN = '/api/auth/login'
type LoginAs = RequestBody<'/api/auth/login-as'>

export function createIdentityClient(
  send: Send,
  options: IdentityOptions,
  shared: LoginSharing,
): IdentityClient {
  const header = options.authorizationHeader ?? 'X-Authorization'
  const renew = async ({ refreshToken }: Tokens) =>
    await issuedBy(await post('/api/auth/refresh', { refreshToken }))
  const login = createHeldLogin(options, shared)
  const state = createLoginState(renew, login, options.now)

  const post: Post = postTo

  function postTo(path: string, body: object, tokens?: Tokens, more?: RequestInit): Promise<Response> {
    const headers = { 'Content-Type': 'application/json' }
    return sendWithToken(path, { method: 'POST', headers, body: JSON.stringify(body), ...more }, tokens)
  }

  /** Needs the cookie that binds an email to the browser, even in stateless mode. */
  function prove<P extends PostPath>(path: P, body: RequestBody<P>): Promise<Response> {
    return postTo(path, body, undefined, { credentials: 'include' })
  }

  function sendWithToken(path: string, init: RequestInit, tokens?: Tokens): Promise<Response> {
    return send(path, init, tokens && { [header]: `Bearer ${tokens.accessToken}` })
  }

  async function holdIssued(replying: Promise<Response>, remember = false): Promise<IssuedLogin> {
    const issued = await issuedBy(await replying)
    login.hold({ ...issued, remember })
    return issued
  }

  function passkeyOf(choices?: PasskeyLogin): ReturnType<typeof askAuthenticator> {
    const begin = (signal: AbortSignal) =>
      postTo(`${LOGIN}/passkey/begin`, {}, undefined, { credentials: 'include', signal })
    return askAuthenticator('get', begin, choices)
  }

  async function done(replying: Promise<Response>): Promise<void> {
    await bodyOf(await replying, isIdentityEnvelope)
  }

  const reset = (body: RequestBody<'/api/auth/reset-password'>) =>
    done(post('/api/auth/reset-password', body))

  /** A reply without a login means that the account is waiting for approval. */
  async function signedUp(proof: SignUpProof): Promise<Identity | undefined> {
    const response = await prove('/api/auth/sign-up/confirm', proof)
    const { view } = await envelopeOf(response)
    if (!view.loggedIn) return undefined
    const issued = issuedIn(view, response)
    login.hold(issued)
    return issued.identity
  }

  function postAndReplace(path: string, body: object): Promise<IssuedLogin> {
    return state.inTurn(() => holdIssued(state.callInTurn((held) => postTo(path, body, held))))
  }

  return {
    login: async (email, password, { passkey, ...more } = {}) => {
      const proof = { email, password, ...more, ...(passkey && { passkey: await passkeyOf() }) }
      const send = () => (passkey ? prove(LOGIN, proof) : post(LOGIN, proof))
      return await identityOf(state.inTurn(() => holdIssued(send(), more.remember)))
    },
    loginWithPasskey: async ({ remember, ...choices } = {}) => {
      const credential = await passkeyOf(choices)
      const body = { credential, ...(remember && { remember }) }
      return await identityOf(state.inTurn(() => holdIssued(prove(`${LOGIN}/passkey`, body), remember)))
    },
    getIdentity: async () => {
      let used: DatedTokens | undefined
      const response = await state.call((held) => sendWithToken('/api/auth/get-identity', {}, (used = held)))
      const identity = identityOnly((await envelopeOf(response)).view)
      login.recognise(used, identity)
      return identity
    },
    identity: login.identity,
    subscribe: login.subscribe,
    refresh: state.refresh,
    logout: () =>
      state.inTurn(async () => {
        const reply = envelopeOf(await post('/api/auth/logout', {}, login.tokens()))
        await reply.catch(unlessLoggedOut)
        login.hold(undefined)
        await reply
      }),
    resetPassword: { request: (email) => reset({ email }), consume: reset },
    signUp: (email, challenge) =>
      done(prove('/api/auth/sign-up', { email, ...(challenge && { challenge }) })),
    confirmSignUp: (proof) => state.inTurn(() => signedUp(proof)),
    loginByMail: (email) => done(prove('/api/auth/login-by-mail', { email })),
    confirmLoginByMail: (proof) =>
      identityOf(state.inTurn(() => holdIssued(prove('/api/auth/login-by-mail/confirm', proof)))),
    loginAs: (userId, factor) =>
      identityOf(postAndReplace('/api/auth/login-as', { userId, ...factor } satisfies LoginAs)),
    logoutAs: () => identityOf(postAndReplace('/api/auth/logout-as', {})),
    replaceLogin: async (path, body) => (await postAndReplace(path, body)).view,
    createProject: async (draft) => {
      const response = await state.call((tokens) => post('/api/project/create', draft, tokens))
      return (await bodyOf(response, isProjectEnvelope)).view.data
    },
    fetch: (path, init = {}) =>
      state.call((tokens) => sendWithToken(path, init, tokens), !isStream(init.body)),
    tokens: login.tokens,
    adopt: login.adopt,
    close: login.close,
  }
}

async function issuedBy(response: Response): Promise<IssuedLogin> {
  return issuedIn((await envelopeOf(response)).view, response)
}

function issuedIn(view: IdentityEnvelope['view'], response: Response): IssuedLogin {
  const { jwt, refreshToken, loggedIn } = view
  // The response must also confirm the login: a token pair alone is not enough.
  if (!loggedIn || !jwt || !refreshToken) throw unreadable(response)
  return { accessToken: jwt, refreshToken, identity: identityOnly(view), view }
}

async function identityOf(issuing: Promise<IssuedLogin>): Promise<Identity> {
  return (await issuing).identity
}

/** Removes recovery codes, which must not reach other tabs or storage. */
function identityOnly(view: IdentityEnvelope['view'] & { readonly recoveryCodes?: unknown }): Identity {
  const { jwt: _, refreshToken: __, recoveryCodes: ___, ...identity } = view
  return identity
}

function envelopeOf(response: Response): Promise<IdentityEnvelope> {
  return bodyOf(response, isIdentityEnvelope, isIdentityEnvelope)
}

function isIdentityEnvelope(json: unknown): json is IdentityEnvelope {
  return typeof member(member(json, 'view'), 'loggedIn') === 'boolean'
}

function isProjectEnvelope(
  json: unknown,
): json is ProjectEnvelope & { readonly view: { readonly data: Project } } {
  return typeof member(member(member(json, 'view'), 'data'), 'id') === 'number'
}

function isStream(body: unknown): boolean {
  return Boolean(member(body, 'getReader') ?? member(body, Symbol.asyncIterator))
}
