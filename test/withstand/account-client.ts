import type { Email } from '../../src/domain/identity/email.js'
import type { Store } from '../../src/ports/store.js'
import type { RoleKey } from '../../src/domain/access/role.js'
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

/** One login, with the credentials of the last acknowledged reply. */
type Login = { held: Held; active: boolean }

export type OwnAccount = {
  readonly email: string
  readonly password: string
  readonly roles: readonly string[]
}

const MOST_LOGINS = 24

/**
 * The owner of one account and its operator. Its logins are in use at the same time; requests follow one another, so
 * after each reply exactly one state is right. Only one-way changes are made outside the logins: a role is removed, the
 * account is disabled.
 */
export function createAccountClient(scene: Scene, actor: Actor, account: OwnAccount): LoadClient {
  const { random, service } = scene
  const logins: Login[] = []
  const roles = new Set(account.roles)
  let { password } = account
  let changes = 0
  let disabled = false

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
    if (reply.status !== (disabled ? 401 : 200)) actor.violate(`a login got ${told(reply)}`)
    if (reply.status === 200) logins.push({ held: keep({}, reply), active: true })
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
    if (isActive && shown.join() !== [...roles].sort().join()) actor.violate(`the roles ${shown.join()}`)
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

  /** A repetition is refused if an earlier attempt was done: then its new login is lost. */
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

  async function removeRole({ roles: table }: Store): Promise<void> {
    const [role] = roles
    if (role === undefined) return
    await actor.persist(`remove ${role}`, () => table.unassign(account.email as Email, role as RoleKey))
    roles.delete(role)
  }

  async function disable({ accounts }: Store): Promise<void> {
    await actor.persist('disable', async () => {
      const found = await accounts.findByEmail(account.email as Email)
      if (found) await accounts.setDisabled(found.id, Date.now())
    })
    disabled = true
    endAll()
  }

  async function step(): Promise<void> {
    const draw = random.below(1000)
    const some = active()
    const login = some.length > 0 ? random.pick(some) : undefined
    if (login === undefined || (draw < 100 && some.length < MOST_LOGINS)) await logIn()
    else if (draw < 400) await (scene.prefersEnds() ? logOut(login) : refresh(login))
    else if (draw < 430) await logOut(login)
    else if (draw < 445) await changePassword(login)
    else if (draw < 455) await logInWrongly()
    else if (scene.store && draw < 460) await removeRole(scene.store)
    else if (scene.store && draw < 461 && changes > 2) await disable(scene.store)
    else await look(random.pick(logins))
  }

  return {
    isDone: () => disabled,
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
