import type { Identity } from './described.js'
import { KennelError } from './kennel-error.js'
import { readToken } from './token.js'

/** The pair of a login. Keep it in memory only. */
export type Tokens = { readonly accessToken: string; readonly refreshToken: string }

/** What a login, a refresh and the like answer. */
export type Issued = { readonly tokens: Tokens; readonly identity: Identity }

type Held = Tokens & { readonly session: unknown; readonly issuedAt: number; readonly staleAt: number }

/** What is told of a login, and the clock. */
export type LoginOptions = {
  /** A pair of another tab of the same login; see `onTokens`. */
  readonly tokens?: Tokens
  /** Called with every new pair, and with `undefined` after the end of a login: tell the other tabs. */
  readonly onTokens?: (tokens: Tokens | undefined) => void
  /** Called once when a login has ended without `logout()`: its refresh was refused, or another tab said so. */
  readonly onLoggedOut?: () => void
  /** Milliseconds; `Date.now`. */
  readonly now?: () => number
}

type Attempt = (tokens: Tokens | undefined) => Promise<Response>

/** What one client holds of its login. Everything that replaces the pair happens in turns. */
export type LoginState = {
  readonly held: () => Tokens | undefined
  readonly hold: (tokens: Tokens | undefined) => void
  /** Takes what another tab holds, unless it is an older pair of the same session: messages may come late. */
  readonly adopt: (tokens: Tokens | undefined) => void
  /** Waits until nothing else replaces the pair; calls that start meanwhile wait for it. */
  readonly inTurn: <T>(act: () => Promise<T>) => Promise<T>
  /** One refresh, however many ask for it. */
  readonly refresh: () => Promise<Identity>
  /** Sends, with a pair that is not known to have expired, and once more after a refresh where the answer is 401. */
  readonly call: (attempt: Attempt, again?: boolean) => Promise<Response>
  /** The same for who has the turn already. */
  readonly callInTurn: (attempt: Attempt) => Promise<Response>
}

export function createLoginState(
  exchange: (tokens: Tokens) => Promise<Issued>,
  { tokens: first, onTokens, onLoggedOut, now = Date.now }: LoginOptions,
): LoginState {
  let held = first && heldFrom(first, now())
  const { inTurn, free } = createTurns()
  let refreshing: Promise<Identity> | undefined

  function hold(tokens: Tokens | undefined): void {
    held = tokens && heldFrom(tokens, now())
    onTokens?.(tokens)
  }

  async function renew(): Promise<Identity> {
    const used = held
    if (!used) throw new KennelError('InvalidToken', { status: 401 })
    try {
      const { tokens, identity } = await exchange(used)
      if (held === used) hold(tokens)
      return identity
    } catch (error) {
      if (isRefused(error) && held === used) {
        hold(undefined)
        onLoggedOut?.()
      }
      throw error
    }
  }

  function refresh(): Promise<Identity> {
    refreshing ??= inTurn(renew).finally(() => {
      refreshing = undefined
    })
    return refreshing
  }

  async function send(attempt: Attempt, renewal: () => Promise<unknown>, again = true): Promise<Response> {
    if (held && now() >= held.staleAt) await renewal()
    const used = held
    const response = await attempt(used)
    if (response.status !== 401 || !used) return response
    if (held === used || refreshing) await renewal().catch(unlessRefused)
    // Another login than the one that was called for does not repeat the call.
    if (!again || !held || held.session !== used.session) return response
    await response.body?.cancel().catch(() => undefined)
    return await attempt(held)
  }

  return {
    held: () => held && { accessToken: held.accessToken, refreshToken: held.refreshToken },
    hold,
    adopt: (tokens) => {
      const ended = held && !tokens
      held = tokens && newest(heldFrom(tokens, now()), held)
      if (ended) onLoggedOut?.()
    },
    inTurn,
    refresh,
    call: async (attempt, again) => {
      await free()
      return await send(attempt, refresh, again)
    },
    callInTurn: (attempt) => send(attempt, renew),
  }
}

/** By the time that the token says it lives: the clock of this machine may be wrong. */
function heldFrom({ accessToken, refreshToken }: Tokens, now: number): Held {
  const { session, issuedAt, lifetime } = readToken(accessToken)
  return { accessToken, refreshToken, session, issuedAt, staleAt: now + lifetime }
}

function newest(told: Held, held: Held | undefined): Held {
  const isOfOneSession = told.session !== undefined && told.session === held?.session
  return isOfOneSession && told.issuedAt < held.issuedAt ? held : told
}

function isRefused(error: unknown): boolean {
  return error instanceof KennelError && error.status === 401
}

function unlessRefused(error: unknown): void {
  if (!isRefused(error)) throw error
}

/** Acts that happen one after the other. */
type Turns = {
  readonly inTurn: <T>(act: () => Promise<T>) => Promise<T>
  /** Resolves when all that began before has ended, well or not. */
  readonly free: () => Promise<unknown>
}

function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  return {
    inTurn: (act) => {
      const mine = last.then(act)
      last = mine.catch(() => undefined)
      return mine
    },
    free: () => last,
  }
}
