import {
  credentials,
  GET_IDENTITY,
  keep,
  LOGIN,
  LOGOUT,
  payloadOf,
  REFRESH,
  type Held,
} from '../../support/http/browser.js'
import { PASSWORD } from '../../support/http/service.js'
import type { Reply } from '../../support/http/client.js'
import type { Answer, Site } from './site.js'

/** One client of one account, with one request at a time. */
export type Visitor = {
  readonly login: () => Promise<void>
  readonly identity: () => Promise<void>
  readonly refresh: () => Promise<void>
  readonly logout: () => Promise<void>
  /** What is active has to be so, and what was ended has to be ended, on whatever service has the store now. */
  readonly check: (site: Site) => Promise<void>
}

type State = {
  held: Held
  /** `unsure` where a reply is missing that would tell. */
  session: 'none' | 'active' | 'unsure'
  /** What an acknowledged logout has ended. */
  readonly ended: Held[]
}

/** Beyond its own seconds a token is good for 5 s of leeway; what is nearer to it than this is not judged. */
const MARGIN = 60_000
/** Tokens hold whole seconds, and the machine's clock may be read a little later. */
const SECONDS = 2_000
/** For how long a spent refresh token gives the same tokens again, in milliseconds. */
const GRACE = 10_000

export function createVisitor(site: Site, email: string): Visitor {
  const state: State = { held: {}, session: 'none', ended: [] }

  /** Sends it; what comes back is kept. */
  async function send(now: Site, method: string, path: string, held: Held, json?: unknown): Promise<Answer> {
    const from = Date.now() + now.ahead
    const answer = await now.ask(method, path, {
      headers: credentials(held),
      ...(json !== undefined && { json }),
    })
    if (answer.kind === 'reply' && answer.reply.status === 200) {
      // After a refresh without a reply the next one gives the tokens that the first one made.
      expectClock(now, answer.reply, path === REFRESH ? from - GRACE : from)
      state.held = keep(state.held, answer.reply)
    }
    return answer
  }

  async function identity(now: Site): Promise<void> {
    const { held, session } = state
    if (held.accessToken === undefined) return
    const before = now.ahead
    const answer = await send(now, 'GET', GET_IDENTITY, held)
    if (answer.kind !== 'reply') return
    const { status } = answer.reply
    const good = validity(held.accessToken, now, before)
    if (status === 200 && (session === 'none' || good === 'bad'))
      now.violations.push(`get-identity was answered with 200, session ${session}, token ${good}`)
    if (status !== 200 && session === 'active' && good === 'good')
      now.violations.push(`get-identity was answered with ${told(answer.reply)} in an active session`)
  }

  async function refresh(now: Site): Promise<void> {
    const { held, session } = state
    if (held.refreshToken === undefined || session === 'none') return
    const good = validity(held.refreshToken, now)
    const answer = await send(
      now,
      'POST',
      REFRESH,
      { cookie: held.cookie },
      { refreshToken: held.refreshToken },
    )
    if (answer.kind === 'reply' && answer.reply.status === 200) {
      if (good === 'bad') now.violations.push('a refresh was answered with 200, its token is not good')
      state.session = 'active'
      return
    }
    if (answer.kind === 'reply' && session === 'active' && good === 'good')
      now.violations.push(`a refresh was answered with ${told(answer.reply)} in an active session`)
    state.session = 'unsure'
  }

  async function logout(now: Site): Promise<void> {
    const { held, session } = state
    if (held.accessToken === undefined || session === 'none') return
    const before = now.ahead
    const answer = await send(now, 'POST', LOGOUT, held, {})
    if (answer.kind === 'reply' && answer.reply.status === 200) {
      state.ended.push(held)
      state.session = 'none'
      return
    }
    const good = validity(held.accessToken, now, before)
    if (answer.kind === 'reply' && session === 'active' && good === 'good')
      now.violations.push(`a logout was answered with ${told(answer.reply)} in an active session`)
    state.session = 'unsure'
  }

  return {
    login: async () => {
      const answer = await send(
        site,
        'POST',
        LOGIN,
        { cookie: state.held.cookie },
        { email, password: PASSWORD },
      )
      const isIn = answer.kind === 'reply' && answer.reply.status === 200
      if (answer.kind === 'reply' && !isIn)
        site.violations.push(`a login was answered with ${told(answer.reply)}`)
      // A cookie was sent along, whose session may have been ended by a login without a reply.
      state.session = isIn ? 'active' : 'unsure'
    },
    identity: () => identity(site),
    refresh: () => refresh(site),
    logout: () => logout(site),
    check: async (now) => {
      await identity(now)
      await refresh(now)
      for (const held of state.ended.slice(-3)) {
        const answer = await now.ask('GET', GET_IDENTITY, { headers: credentials(held) })
        if (answer.kind === 'reply' && answer.reply.status === 200)
          now.violations.push('a session that was ended is active')
      }
    },
  }
}

type Validity = 'good' | 'bad' | 'unknown'

/** Whether a token is good by the clock that the service has, and had when it was sent. */
function validity(token: string, { ahead }: Site, before = ahead): Validity {
  const [now, then] = [validityAt(token, ahead), validityAt(token, before)]
  return now === then ? now : 'unknown'
}

/** Near its ends it is not known. */
function validityAt(token: string, ahead: number): Validity {
  const { iat, exp } = payloadOf(token)
  const now = Date.now() + ahead
  const [from, to] = [Number(iat) * 1000, Number(exp) * 1000]
  if (now < from - MARGIN || now > to + MARGIN) return 'bad'
  return now >= from - SECONDS && now < to - MARGIN ? 'good' : 'unknown'
}

/** A new token says when it was made, by the clock of the service. */
function expectClock(site: Site, reply: Reply, from: number): void {
  const token = (reply.json as { view?: { jwt?: string | null } }).view?.jwt
  if (typeof token !== 'string') return
  const made = Number(payloadOf(token)['iat']) * 1000
  const to = Date.now() + site.ahead
  if (made >= from - SECONDS && made <= to + SECONDS) return
  site.violations.push(`a token says that it is ${String(made - from)} ms from the clock of the service`)
}

function told({ status, text }: Reply): string {
  return `${String(status)} ${text.slice(0, 200)}`
}
