import {
  CHANGE_PASSWORD,
  credentials,
  GET_IDENTITY,
  keep,
  LOGIN,
  type Held,
} from '../../../support/http/browser.js'
import { basic, PETS } from '../../../support/http/pet-calls.js'
import type { Reply } from '../../../support/http/client.js'
import { PASSWORD } from '../../../support/use-cases.js'
import type { Step, HistoryParts } from '../course.js'
import { statusOf } from '../identity.js'
import type { Input, Output } from './account.js'

export type AccountStep = Step<Input, Output>

/** What all clients of one account know of it. */
export type AccountClient = {
  /** The text of the password of this name: `w1` is the first. */
  readonly passwordOf: (name: string) => string
  /** One that was the account's, or is going to be. */
  readonly anyPassword: () => string
  readonly nextPassword: () => string
  /** Told of each answer that says that this one was set. */
  readonly wasSet: (name: string) => void
  readonly login: (client: number) => AccountStep
  readonly basic: (client: number) => AccountStep
  /** With any session that was ever seen; a login where there is none. */
  readonly getIdentity: (client: number) => AccountStep
  readonly changePassword: (client: number) => AccountStep
}

export function createAccountClient({ calls, random }: HistoryParts, email: string): AccountClient {
  const passwords = ['w1']
  const sessions = new Map<string, Held>()
  const passwordOf = (name: string) => (name === 'w1' ? PASSWORD : `${PASSWORD} of ${name}`)
  let current = 'w1'
  const anyPassword = () => (random.chance(0.7) ? current : random.pick(passwords))
  const wasSet = (name: string) => {
    current = name
  }
  const nextPassword = () => {
    passwords.push(`w${String(passwords.length + 1)}`)
    return passwords.at(-1) as string
  }
  const begun = (reply: Reply | undefined): Output | undefined => {
    if (reply?.status !== 200) return statusOf(reply)
    const session = `s${String(sessions.size + 1)}`
    sessions.set(session, keep({}, reply))
    return { status: 200, session }
  }
  const anySession = () => {
    const names = [...sessions.keys()]
    return random.pick(random.chance(0.6) ? names.slice(-2) : names)
  }
  const login = (client: number): AccountStep => {
    const password = anyPassword()
    const call = { json: { email, password: passwordOf(password) } }
    return {
      input: { kind: 'login', password },
      run: async () => begun(await calls.send(client, 'POST', LOGIN, call)),
    }
  }
  return {
    passwordOf,
    anyPassword,
    nextPassword,
    wasSet,
    login,
    basic: (client) => {
      const password = anyPassword()
      const headers = { Authorization: basic(email, passwordOf(password)) }
      return {
        input: { kind: 'basic', password },
        run: async () => statusOf(await calls.send(client, 'GET', `${PETS}?limit=1`, { headers })),
      }
    },
    getIdentity: (client) => {
      if (sessions.size === 0) return login(client)
      const session = anySession()
      const headers = credentials(sessions.get(session) as Held)
      return {
        input: { kind: 'get-identity', session },
        run: async () => statusOf(await calls.send(client, 'GET', GET_IDENTITY, { headers })),
      }
    },
    changePassword: (client) => {
      if (sessions.size === 0) return login(client)
      const [session, password, next] = [anySession(), anyPassword(), nextPassword()]
      const json = { password: passwordOf(password), newPassword: passwordOf(next) }
      const headers = credentials(sessions.get(session) as Held)
      return {
        input: { kind: 'change-password', session, password, next },
        run: async () => {
          const output = begun(await calls.send(client, 'POST', CHANGE_PASSWORD, { headers, json }))
          if (output?.status === 200) wasSet(next)
          return output
        },
      }
    },
  }
}
