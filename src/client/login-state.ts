import type { Identity } from './described.js'
import type { HeldLogin } from './held-login.js'
import { KennelError } from './kennel-error.js'
import type { DatedTokens, Tokens } from './login.js'
import { needsFreshLogin, unlessLoggedOut } from './reply.js'

/** The login in a reply from the service. */
export type IssuedLogin = Tokens & { readonly identity: Identity; readonly view: unknown }

type Attempt = (used: DatedTokens | undefined) => Promise<Response>

/** Keeps the current token pair for requests. Only one operation at a time can replace the token pair, across all tabs. */
export function createLoginState(
  exchange: (tokens: Tokens) => Promise<IssuedLogin>,
  { held, identity, hold, lose, alone }: HeldLogin,
  now = Date.now,
) {
  let refreshing: Promise<Identity> | undefined
  let last: Promise<unknown> = Promise.resolve()

  /** Runs `act` while no other operation replaces the pair; calls that start in the meantime wait until `act` is done. */
  function inTurn<T>(act: (before: DatedTokens | undefined) => Promise<T>): Promise<T> {
    const mine = last.then(() => {
      const before = held()
      return alone(() => act(before))
    })
    last = mine.catch(() => undefined)
    return mine
  }

  async function renew(before: DatedTokens | undefined): Promise<Identity> {
    const used = held()
    if (!used) throw new KennelError('InvalidToken', { status: 401 })
    const known = identity()
    // Another tab sent a new pair while this tab waited for its turn.
    if (used !== before && known) return known
    try {
      const issued = await exchange(used)
      if (held() === used) hold(issued)
      return issued.identity
    } catch (error) {
      unlessLoggedOut(error)
      if (held() === used) lose()
      throw error
    }
  }

  /** Concurrent callers share one refresh. */
  function refresh(): Promise<Identity> {
    refreshing ??= inTurn(renew).finally(() => {
      refreshing = undefined
    })
    return refreshing
  }

  function isStale(): boolean {
    return now() >= Number(held()?.staleAt)
  }

  /** Returns whether a refresh cannot change the reply. */
  async function isFinal(response: Response, used: DatedTokens): Promise<boolean> {
    // A refresh does not make a login fresh, but the user may have confirmed the login in the meantime.
    return response.status !== 401 || ((await needsFreshLogin(response)) && held() === used)
  }

  async function send(attempt: Attempt, renewal: () => Promise<unknown>, again = true): Promise<Response> {
    if (isStale()) await renewal()
    const used = held()
    const response = await attempt(used)
    if (!used || (await isFinal(response, used))) return response
    if (held() === used || refreshing) await renewal().catch(unlessLoggedOut)
    const next = held()
    // Never repeats a call with a different login.
    if (!again || !next || next.session !== used.session) return response
    await response.body?.cancel().catch(() => undefined)
    return await attempt(next)
  }

  return {
    inTurn,
    refresh,
    /** Sends the request, refreshing an expired pair first. With `again`, refreshes and retries once if a refresh may resolve a 401. */
    call: async (attempt: Attempt, again?: boolean) => {
      await last
      return await send(attempt, refresh, again)
    },
    /** Like `call`, for an operation that runs inside `inTurn`. */
    callInTurn: (attempt: Attempt) => send(attempt, () => renew(held())),
  }
}
