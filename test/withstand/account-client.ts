import {
  CHANGE_PASSWORD,
  credentials,
  envelopeOf,
  identityWith,
  keep,
  LOGIN,
  LOGOUT,
  refreshWith,
  type Held,
} from '../support/http/browser.js'
import { told, type Actor } from './journal.js'
import type { LoadClient, Scene } from './load.js'

/** A login and its credentials as of the last acknowledged reply. */
type Login = { held: Held; active: boolean }

export type OwnAccount = {
  readonly email: string
  readonly password: string
  readonly roles: readonly string[]
}

const MOST_LOGINS = 24

/**
 * Creates the only client of an account. It uses several logins, but sends one request at a time, so that exactly one state is correct
 * after each reply.
 */
export function createAccountClient(scene: Scene, actor: Actor, account: OwnAccount): LoadClient {
  const { random, service } = scene
  const logins: Login[] = []
  let { password } = account
  let changes = 0

  const active = () => logins.filter((login) => login.active)
  const endAll = () => {
    for (const login of logins) login.active = false
  }
  const loginWith = (secret: string) =>
    actor.insist('login', () =>
      service.client.call('POST', LOGIN, { json: { email: account.email, password: secret } }),
    )

  async function logIn(): Promise<void> {
    const { reply } = await loginWith(password)
    if (reply.status !== 200) actor.violate(`a login got ${told(reply)}`)
    logins.push({ held: keep({}, reply), active: true })
  }

  async function logInWrongly(): Promise<void> {
    const { reply } = await loginWith(`${password} not`)
    if (reply.status !== 401) actor.violate(`a wrong password got ${told(reply)}`)
  }

  async function look(login: Login): Promise<void> {
    const { reply } = await actor.insist('identity', () => identityWith(service, login.held))
    const isActive = reply.status === 200 && envelopeOf(reply).view.loggedIn
    if (isActive !== login.active)
      actor.violate(`a login that ${login.active ? 'is active' : 'has ended'} got ${told(reply)}`)
    const shown = Object.keys(isActive ? envelopeOf(reply).view.roleList : {}).sort()
    if (isActive && shown.join() !== [...account.roles].sort().join())
      actor.violate(`the roles ${shown.join()}`)
  }

  async function refresh(login: Login): Promise<void> {
    const { reply } = await actor.insist('refresh', () => refreshWith(service, login.held))
    if (reply.status !== (login.active ? 200 : 401)) actor.violate(`a refresh got ${told(reply)}`)
    login.held = keep(login.held, reply)
  }

  async function logOut(login: Login): Promise<void> {
    const headers = credentials(login.held)
    const { reply } = await actor.insist('logout', () =>
      service.client.call('POST', LOGOUT, { headers, json: {} }),
    )
    if (reply.status !== 200) actor.violate(`a logout got ${told(reply)}`)
    login.active = false
  }

  /** A repeated request is refused if an earlier attempt succeeded; the new login from that attempt is lost. */
  async function changePassword(login: Login): Promise<void> {
    const newPassword = `${account.password} ${String((changes += 1))}`
    const headers = credentials(login.held)
    const json = { password, newPassword }
    const { reply, repeated } = await actor.insist(`change to password ${String(changes)}`, () =>
      service.client.call('POST', CHANGE_PASSWORD, { headers, json }),
    )
    if (reply.status !== 200 && !repeated) actor.violate(`a change of the password got ${told(reply)}`)
    password = newPassword
    endAll()
    if (reply.status === 200) logins.push({ held: keep({}, reply), active: true })
  }

  async function step(): Promise<void> {
    const draw = random.below(1000)
    const some = active()
    const login = some.length > 0 ? random.pick(some) : undefined
    if (login === undefined || (draw < 100 && some.length < MOST_LOGINS)) await logIn()
    else if (draw < 400) await (scene.prefersEnds() ? logOut(login) : refresh(login))
    else if (draw < 430) await logOut(login)
    else if (draw < 445 && scene.allowsChanges) await changePassword(login)
    else if (draw < 455) await logInWrongly()
    else await look(random.pick(logins))
  }

  return {
    step,
    readBack: async () => {
      for (const login of logins) {
        await look(login)
        await refresh(login)
      }
      await logIn()
      await logInWrongly()
      return logins.length
    },
  }
}
