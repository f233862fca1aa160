import { isDeepStrictEqual } from 'node:util'
import { createBrowser, type Held } from '../support/http/browser.js'
import { UNAVAILABLE } from '../support/http/expected.js'
import { refusedForNow, type RealService } from './real-service.js'

export type StormReport = {
  /** The credentials of every login that got a 200. */
  readonly loggedIn: readonly Held[]
  readonly refused: number
  /** Any reply that is neither 200 nor the specified 503, as text. */
  readonly wrong: readonly string[]
}

export type Storm = {
  /** Resolves when this many more logins have been answered. */
  next(answers: number): Promise<void>
  stop(): Promise<StormReport>
}

const CLIENTS = 16
const PAUSE_AFTER_REFUSAL = 50

/** Clients that log in repeatedly, each time without a session. */
export function stormLogins(service: RealService): Storm {
  const [loggedIn, wrong]: [Held[], string[]] = [[], []]
  let [refused, stopping] = [0, false]
  const logIn = async (email: string) => {
    const browser = createBrowser(service, email)
    const reply = await browser.login()
    if (reply.status === 200) loggedIn.push(browser.held())
    else if (isDeepStrictEqual(refusedForNow(reply), UNAVAILABLE)) {
      refused += 1
      await pause(PAUSE_AFTER_REFUSAL)
    } else wrong.push(`${String(reply.status)} ${reply.text}`)
  }
  const clients = Array.from({ length: CLIENTS }, async (_, n) => {
    while (!stopping) {
      await logIn(service.emails[n % service.emails.length] ?? '').catch((error: unknown) =>
        wrong.push(String(error)),
      )
    }
  })
  const answers = () => loggedIn.length + refused + wrong.length
  return {
    next: async (more) => {
      const enough = answers() + more
      while (answers() < enough) await pause(10)
    },
    stop: async () => {
      stopping = true
      await Promise.all(clients)
      return { loggedIn, refused, wrong }
    },
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
