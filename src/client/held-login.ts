import type { Identity } from './described.js'
import { heldFrom, isOfOneSession, type Held, type Login, type Tokens } from './login.js'
import type { KeptLogin } from './storage.js'
import { openTabs, type Tabs } from './tabs.js'

/** What is told of a login, and the clock. */
export type LoginOptions = {
  /** A pair to begin with, in the place of what the storage keeps. */
  readonly tokens?: Tokens
  /** Called with every new pair, and with `undefined` after the end of a login; not with what other tabs tell. */
  readonly onTokens?: (tokens: Tokens | undefined) => void
  /** Called once when a login has ended without `logout()`: its refresh was refused, or another tab said so. */
  readonly onLoggedOut?: () => void
  /** Milliseconds; `Date.now`. */
  readonly now?: () => number
}

/** Where a login is kept beside this client. */
export type Shared = {
  readonly kept: KeptLogin
  /** Name of the channel and the lock of all tabs; none for a client on its own. */
  readonly channel: string | false
}

/** The login of one client, in memory, in its storage and in the other tabs. */
export type HeldLogin = Pick<Tabs, 'alone' | 'close'> & {
  readonly held: () => Held | undefined
  readonly tokens: () => Tokens | undefined
  readonly identity: () => Identity | undefined
  readonly subscribe: (listener: () => void) => () => void
  /** Holds what the service has issued, or nothing more; the other tabs are told. */
  readonly hold: (login: Login | undefined) => void
  /** The same where the service has ended it. */
  readonly lose: () => void
  /** Takes what another tab holds, unless it is an older pair of the same session: messages may come late. */
  readonly adopt: (tokens: Tokens | undefined) => void
  /** Notes whom the session of this pair belongs to. */
  readonly recognise: (used: Held | undefined, identity: Identity) => void
}

export function createHeldLogin(
  { tokens, onTokens, onLoggedOut, now }: LoginOptions,
  { kept, channel }: Shared,
): HeldLogin {
  const state = createObserved(kept, now)
  /** Sessions that have ended: nothing that is said of them later, or comes late, brings one back. */
  const over = new Set<unknown>()
  if (tokens) state.set(tokens)
  else state.set(kept.load(), false)
  const { tell, alone, close } = openTabs(channel, {
    login: state.login,
    told: take,
    ended: (session) => {
      over.add(session)
      if (state.held()?.session === session) end()
    },
  })

  function hold(login: Login | undefined): void {
    const session = state.held()?.session
    if (!login) over.add(session)
    state.set(login)
    tell(login ? { login: state.login() } : { over: true, session })
    onTokens?.(state.tokens())
  }

  function take(login: Login, isAnswer = false): void {
    const news = heldFrom(login)
    if (news.session && over.has(news.session)) return
    if (isNews(news, state.held(), isAnswer)) state.set(login, !isAnswer)
  }

  function end(): void {
    const before = state.held()
    if (!before) return
    over.add(before.session)
    state.set(undefined)
    onLoggedOut?.()
  }

  return {
    ...state,
    ...{ hold, alone, close },
    lose: () => {
      hold(undefined)
      onLoggedOut?.()
    },
    adopt: (pair) => {
      if (pair) take(pair)
      else end()
    },
  }
}

/** Whether to take what another tab says. */
function isNews(told: Held, held: Held | undefined, isAnswer: boolean): boolean {
  if (!held) return true
  if (told.refreshToken === held.refreshToken) return false
  // What was asked for may have been overtaken on its way, by another login too.
  if (isAnswer) return told.issuedAt > held.issuedAt
  return !isOfOneSession(told, held) || told.issuedAt >= held.issuedAt
}

/** What a client knows of its login, and who is told of changes. */
type Observed = Pick<HeldLogin, 'held' | 'tokens' | 'identity' | 'subscribe' | 'recognise'> & {
  readonly login: () => Login | undefined
  readonly set: (login: Login | undefined, isNew?: boolean) => void
}

function createObserved(kept: KeptLogin, now = Date.now): Observed {
  let held: Held | undefined
  let known: Identity | undefined
  const listeners = new Set<() => void>()

  const tokens = () => held && pairOf(held)
  const login = () => held && { ...pairOf(held), identity: known }

  function changed(): void {
    kept.save(login())
    // Those that were there: one may end its subscription and begin another.
    for (const listener of [...listeners]) listener()
  }

  return {
    ...{ tokens, login },
    held: () => held,
    identity: () => known,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    set: (next, isNew = true) => {
      const before = held
      held = next && heldFrom(next, isNew ? now() : undefined)
      if (next?.identity) known = unchanged(next.identity, known)
      else if (!isOfOneSession(held, before)) known = undefined
      changed()
    },
    recognise: (used, identity) => {
      const before = known
      if (used && held?.session === used.session) known = unchanged(identity, before)
      if (known !== before) changed()
    },
  }
}

function pairOf({ accessToken, refreshToken }: Tokens): Tokens {
  return { accessToken, refreshToken }
}

/** The same object where nothing has changed, as what renders it compares objects. */
function unchanged(identity: Identity, before: Identity | undefined): Identity {
  // Whether a refresh has told it is nothing of the identity.
  const next = { ...identity, refreshed: false }
  return JSON.stringify(next) === JSON.stringify(before) && before ? before : next
}
