import type {
  Asked,
  Identity,
  IdentityEnvelope,
  PostPath,
  Project,
  ProjectDraft,
  ProjectEnvelope,
  Redemption,
} from './described.js'
import { createHeldLogin, type LoginOptions, type Shared } from './held-login.js'
import { createLoginState, type Issued } from './login-state.js'
import type { Held, Tokens } from './login.js'
import { bodyOf, member, unlessLoggedOut, unreadable } from './reply.js'
import type { Send } from './transport.js'

/** How a login is carried. */
export type IdentityOptions = LoginOptions & {
  /** Header of the access token (`IDENTITY_AUTHORIZATION_HEADER`); `X-Authorization`. */
  readonly authorizationHeader?: string
}

/** Of the authenticator app, or a recovery code; needed only where the account has a second factor. */
export type FactorCode = { readonly code?: string }

/** The calls of a user who logs in. Each rejects with a KennelError. */
export type IdentityClient = {
  /**
   * Opens a new login; the previous one has ended. Where the account has a second factor and no `code` comes along it
   * fails with the code `Required`, on the field `code`.
   */
  readonly login: (email: string, password: string, factor?: FactorCode) => Promise<Identity>
  /** Who is logged in; status 401 without a login. */
  readonly getIdentity: () => Promise<Identity>
  /**
   * Who is logged in as far as this client knows, without asking: the same object until something has changed,
   * `undefined` without a login, and for a moment where only a pair was handed over.
   */
  readonly identity: () => Identity | undefined
  /** Calls back after each change of `identity()` or of the pair; what it gives ends that. */
  readonly subscribe: (listener: () => void) => () => void
  /** Renews the pair now. Calls do so by themselves. */
  readonly refresh: () => Promise<Identity>
  /** Ends the login here and at the service; where that cannot be reached the login stays. */
  readonly logout: () => Promise<void>
  /** A forgotten password, where this is permitted. */
  readonly resetPassword: {
    /** Asks for the mail; does not tell whether there is such an account. */
    readonly request: (email: string) => Promise<void>
    /** Sets the password with the token of the mail, which ends all logins of the account. */
    readonly consume: (redemption: Redemption) => Promise<void>
  }
  /** Acts as another account, where this is permitted; with a code where one's own account has a second factor. */
  readonly loginAs: (userId: number, factor?: FactorCode) => Promise<Identity>
  /** Is oneself again. */
  readonly logoutAs: () => Promise<Identity>
  /**
   * POSTs to a path of the service that answers with a new login in the place of this one, which all tabs hold from
   * then on, and gives the `view` of the answer. It is what `kennel-id/account` builds upon.
   */
  readonly replaceLogin: (path: string, body: object) => Promise<unknown>
  /** Creates a project, where this is permitted. */
  readonly createProject: (draft: ProjectDraft) => Promise<Project>
  /**
   * `fetch` to a path of the service or of whatever else is behind its origin, with the credentials, and once more
   * after a refresh where the answer is 401. Not where the body is a stream: that can be read only once.
   */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>
  /** The pair, for whatever shares this login in a way of its own. */
  readonly tokens: () => Tokens | undefined
  /** Takes over what `onTokens` told elsewhere; a message that comes late has no effect. */
  readonly adopt: (tokens: Tokens | undefined) => void
  /** Other tabs are neither told nor heard any more. Calls still work. */
  readonly close: () => void
}

export function createIdentityClient(send: Send, options: IdentityOptions, shared: Shared): IdentityClient {
  const header = options.authorizationHeader ?? 'X-Authorization'
  const renewed = async ({ refreshToken }: Tokens) =>
    await issuedBy(await post('/api/auth/refresh', { refreshToken }))
  const login = createHeldLogin(options, shared)
  const state = createLoginState(renewed, login, options.now)

  /** Takes what the description says of the path. */
  const post: <P extends PostPath>(path: P, body: Asked<P>, tokens?: Tokens) => Promise<Response> = postTo

  function postTo(path: string, body: object, tokens?: Tokens): Promise<Response> {
    const headers = { 'Content-Type': 'application/json' }
    return bearing(path, { method: 'POST', headers, body: JSON.stringify(body) }, tokens)
  }

  function bearing(path: string, init: RequestInit, tokens?: Tokens): Promise<Response> {
    return send(path, init, tokens && { [header]: `Bearer ${tokens.accessToken}` })
  }

  async function replaced(replying: Promise<Response>): Promise<Issued> {
    const issued = await issuedBy(await replying)
    login.hold(issued)
    return issued
  }

  async function reset(body: Asked<'/api/auth/reset-password'>): Promise<void> {
    await bodyOf(await post('/api/auth/reset-password', body), isIdentityEnvelope)
  }

  function changed(path: string, body: object): Promise<Issued> {
    return state.inTurn(() => replaced(state.callInTurn((held) => postTo(path, body, held))))
  }

  return {
    login: (email, password, factor) =>
      identityOf(state.inTurn(() => replaced(post('/api/auth/login', { email, password, ...factor })))),
    getIdentity: async () => {
      let used: Held | undefined
      const response = await state.call((held) => bearing('/api/auth/get-identity', {}, (used = held)))
      const identity = shown((await envelopeOf(response)).view)
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
    loginAs: (userId, factor) =>
      identityOf(changed('/api/auth/login-as', { userId, ...factor } satisfies Asked<'/api/auth/login-as'>)),
    logoutAs: () => identityOf(changed('/api/auth/logout-as', {})),
    replaceLogin: async (path, body) => (await changed(path, body)).view,
    createProject: async (draft) => {
      const response = await state.call((tokens) => post('/api/project/create', draft, tokens))
      return (await bodyOf(response, isProjectEnvelope)).view.data
    },
    fetch: (path, init = {}) => state.call((tokens) => bearing(path, init, tokens), !isStream(init.body)),
    tokens: login.tokens,
    adopt: login.adopt,
    close: login.close,
  }
}

async function issuedBy(response: Response): Promise<Issued> {
  const { view } = await envelopeOf(response)
  const { jwt, refreshToken, loggedIn } = view
  // A pair alone is no proof of a login.
  if (!loggedIn || !jwt || !refreshToken) throw unreadable(response)
  return { accessToken: jwt, refreshToken, identity: shown(view), view }
}

async function identityOf(issuing: Promise<Issued>): Promise<Identity> {
  return (await issuing).identity
}

/** Recovery codes are shown once: no tab is told of them, no storage keeps them. */
function shown(view: IdentityEnvelope['view'] & { readonly recoveryCodes?: unknown }): Identity {
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
