import type { Identity } from './described.js'
import { heldFrom, isOfOneSession, type DatedTokens, type Login, type Tokens } from './login.js'
import { type KeptLogin, openTabs } from './sharing.js'

/** The initial tokens, callbacks for login changes, and the clock. */
export type LoginOptions = {
  /** The initial token pair; overrides the pair in the storage. */
  readonly tokens?: Tokens
  /**
   * Called with each token pair that this client gets, or with `undefined` when this client ends a login; not called for changes in other
   * tabs.
   */
  readonly onTokens?: (tokens: Tokens | undefined) => void
  /** Called once when a login ends without `logout()`, because the service refused a refresh or another tab ended the login. */
  readonly onLoggedOut?: () => void
  /** The current time in milliseconds; `Date.now` by default. */
  readonly now?: () => number
}

/** The storage and the channel through which a client shares its login. */
export type LoginSharing = {
  readonly kept: KeptLogin
  /** Name of the channel and of the lock; `false` for a client that shares nothing with other tabs. */
  readonly channel: string | false
}

export type HeldLogin = ReturnType<typeof createHeldLogin>

/** The login of one client, synchronized with its storage and with other tabs. */
export function createHeldLogin(
  { tokens, onTokens, onLoggedOut, now }: LoginOptions,
  { kept, channel }: LoginSharing,
) {
  const state = createObserved(kept, now)
  /** Ended sessions. A message that arrives late must not restore an ended session. */
  const over = new Set<unknown>()
  if (tokens) state.set(tokens)
  else state.set(kept.load(), false)
  const { post, alone, close } = openTabs(channel, {
    login: state.login,
    received: take,
    ended: (session) => {
      over.add(session)
      if (state.held()?.session === session) endLogin()
    },
  })

  /** Replaces the login in all tabs; `undefined` ends the login. */
  function hold(login: Login | undefined): void {
    const session = state.held()?.session
    if (!login) over.add(session)
    state.set(login)
    post(login ? { login: state.login() } : { over: true, session })
    onTokens?.(state.tokens())
  }

  function take(login: Login, isAnswer = false): void {
    const news = heldFrom(login)
    if (news.session && over.has(news.session)) return
    if (isNews(news, state.held(), isAnswer)) state.set(login, !isAnswer)
  }

  function endLogin(): void {
    const before = state.held()
    if (!before) return
    over.add(before.session)
    state.set(undefined)
    onLoggedOut?.()
  }

  return {
    ...state,
    ...{ hold, alone, close },
    /** Clears a login that the service has ended. */
    lose: () => {
      hold(undefined)
      onLoggedOut?.()
    },
    /** Adopts a token pair from another tab. Ignores an older pair of the same session, because messages may arrive late. */
    adopt: (pair: Tokens | undefined) => {
      if (pair) take(pair)
      else endLogin()
    },
  }
}

function isNews(sent: DatedTokens, held: DatedTokens | undefined, isAnswer: boolean): boolean {
  if (!held) return true
  if (sent.refreshToken === held.refreshToken) return false
  // Another tab's reply may arrive late, when this tab already has a newer pair or login.
  if (isAnswer) return sent.issuedAt > held.issuedAt
  return !isOfOneSession(sent, held) || sent.issuedAt >= held.issuedAt
}

function createObserved(kept: KeptLogin, now = Date.now) {
  let held: DatedTokens | undefined
  let known: Identity | undefined
  let isRemembered = false
  const listeners = new Set<() => void>()

  const tokens = () => held && pairOf(held)
  const login = (): Login | undefined =>
    held && { ...pairOf(held), identity: known, remember: isRemembered || undefined }

  function notifyListeners(): void {
    kept.save(login())
    // Iterates over a copy, because a listener may unsubscribe and subscribe again.
    for (const listener of [...listeners]) listener()
  }

  return {
    ...{ tokens, login },
    held: () => held,
    identity: () => known,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    set: (next: Login | undefined, isNew = true) => {
      const before = held
      held = next && heldFrom(next, isNew ? now() : undefined)
      const isSame = isOfOneSession(held, before)
      isRemembered = next?.remember ?? (isSame && isRemembered)
      if (next?.identity) known = keepIfEqual(next.identity, known)
      else if (!isSame) known = undefined
      notifyListeners()
    },
    /** Stores the identity of the session that this token pair belongs to. */
    recognise: (used: DatedTokens | undefined, identity: Identity) => {
      const before = known
      if (used && held?.session === used.session) known = keepIfEqual(identity, before)
      if (known !== before) notifyListeners()
    },
  }
}

function pairOf({ accessToken, refreshToken }: Tokens): Tokens {
  return { accessToken, refreshToken }
}

/** Returns the previous object if the identity is equal, because UI libraries compare by reference. */
function keepIfEqual(identity: Identity, before: Identity | undefined): Identity {
  // Ignores `refreshed`, which describes the reply rather than the identity.
  const next = { ...identity, refreshed: false }
  return JSON.stringify(next) === JSON.stringify(before) && before ? before : next
}
