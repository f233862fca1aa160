import type { Reply } from '../../../support/http/client.js'
import {
  CHANGE_PASSWORD,
  createBrowser,
  identityWith,
  refreshWith,
  type Browser,
  type Held,
} from '../../../support/http/browser.js'
import { createPossible } from '../journal.js'
import { notAllowed } from '../line.js'
import type { ClientParts, CrashClient } from './client.js'

/** What may be the case with an account: its password, and which of its logins are not ended. */
type World = {
  readonly password: string
  readonly disabled: boolean
  readonly active: readonly string[]
}

/** One login, with every pair that it has had. */
type Login = { readonly name: string; readonly browser: Browser; readonly pairs: Held[] }

const MOST_LOGINS = 5
const MOST_ENDED = 10

/** Logs one account in and out, refreshes, changes its password, has it disabled and enabled, and replays old tokens. */
export function createLoginsClient(
  { newLine, operator, random, journal }: ClientParts,
  { email, password: first }: { readonly email: string; readonly password: string },
): CrashClient {
  const line = newLine()
  const world = createPossible<World>(journal, email, { password: first, disabled: false, active: [] })
  const logins: Login[] = []
  const ended: { readonly name: string; readonly held: Held }[] = []
  let count = 0

  function begun(browser: Browser): Login {
    const login = { name: `login ${String((count += 1))}`, browser, pairs: [browser.held()] }
    logins.push(login)
    return login
  }

  function end(login: Login, held = login.browser.held()): void {
    logins.splice(logins.indexOf(login), 1)
    ended.push({ name: login.name, held })
    ended.splice(0, Math.max(ended.length - MOST_ENDED, 0))
  }

  async function logIn(password = random.pick(world.states()).password): Promise<void> {
    const browser = createBrowser(line, email)
    const reply = await line.known(browser.login(password))
    const isRight = (state: World) => state.password === password && !state.disabled
    if (reply?.status === 200) {
      const { name } = begun(browser)
      world.done(`${name} with ${password}`, (state) => (isRight(state) ? withLogin(state, name) : undefined))
    } else if (reply) refused(reply, `login with ${password}`, (state) => !isRight(state))
  }

  async function refresh(login: Login): Promise<void> {
    const reply = await line.known(login.browser.refresh())
    if (reply?.status === 200) login.pairs.push(login.browser.held())
    if (reply) judgeActive(reply, `refresh of ${login.name}`, login.name)
  }

  async function logOut(login: Login): Promise<void> {
    const held = login.browser.held()
    const reply = await line.known(login.browser.logout())
    const what = `logout of ${login.name}`
    if (!reply) world.lost(what, (state) => without(state, login.name))
    else if (reply.status !== 200) throw notAllowed(journal, `${what}: ${String(reply.status)} ${reply.text}`)
    else {
      world.done(what, (state) => without(state, login.name))
      end(login, held)
    }
  }

  async function changePassword(login: Login): Promise<void> {
    const { password } = random.pick(world.states())
    const newPassword = `a quiet river, evening ${String((count += 1))}`
    const held = login.browser.held()
    const call = login.browser.send('POST', CHANGE_PASSWORD, { json: { password, newPassword } })
    const reply = await line.known(call)
    const what = `${login.name} sets "${newPassword}"`
    const fits = (state: World) => state.password === password && state.active.includes(login.name)
    const changed = (active: readonly string[]) => (state: World) =>
      fits(state) ? { ...state, password: newPassword, active } : undefined
    if (!reply) world.lost(what, changed([]))
    else if (reply.status === 200) {
      end(login, held)
      world.done(what, changed([begun(login.browser).name]))
    } else if (reply.status === 401) judgeActive(reply, what, login.name)
    else refused(reply, what, (state) => state.password !== password, 400)
  }

  async function setDisabled(disabled: boolean): Promise<void> {
    const what = `user ${disabled ? 'disable' : 'enable'}`
    const apply = (state: World) => (state.disabled === disabled ? state : { ...state, disabled, active: [] })
    if ((await operator.run('user', disabled ? 'disable' : 'enable', email)) === true) world.done(what, apply)
    else world.lost(what, apply)
  }

  /** A token of two generations ago ends the login, from any client. */
  async function replay(login: Login): Promise<void> {
    const old = login.pairs.at(-3)
    if (!old) {
      await refresh(login)
      return
    }
    const reply = await line.known(refreshWith(line, old))
    const what = `replay of ${login.name}`
    if (!reply) world.lost(what, (state) => without(state, login.name))
    else if (reply.status !== 401) throw notAllowed(journal, `${what}: ${String(reply.status)} ${reply.text}`)
    else {
      world.done(what, (state) => without(state, login.name))
      end(login)
    }
  }

  async function read({ name, held }: { readonly name: string; readonly held: Held }): Promise<void> {
    const reply = await line.known(identityWith(line, held))
    if (reply) judgeActive(reply, `reading of ${name}`, name)
  }

  function judgeActive(reply: Reply, what: string, name: string): void {
    if (reply.status === 200) world.seen(what, ({ active }) => active.includes(name))
    else refused(reply, what, ({ active }) => !active.includes(name))
  }

  function refused(reply: Reply, what: string, holds: (state: World) => boolean, status = 401): void {
    if (reply.status !== status) throw notAllowed(journal, `${what}: ${String(reply.status)} ${reply.text}`)
    world.seen(`${what}: ${String(status)}`, holds)
  }

  function isEnded({ name }: Login): boolean {
    return world.states().every(({ active }) => !active.includes(name))
  }

  async function act(): Promise<void> {
    for (const login of logins.filter((one) => isEnded(one))) end(login)
    if (world.states().every(({ disabled }) => disabled)) await setDisabled(false)
    else if (logins.length === 0) await logIn()
    else await use(random.pick(logins))
  }

  async function use(login: Login): Promise<void> {
    const chance = random.below(32)
    if (chance < 8) await refresh(login)
    else if (chance < 11) await read({ name: login.name, held: login.browser.held() })
    else if (chance < 14) await read(ended.at(-1) ?? { name: login.name, held: login.browser.held() })
    else if (chance < 19 && logins.length < MOST_LOGINS) await logIn()
    else if (chance < 24) await logOut(login)
    else if (chance < 29) await changePassword(login)
    else if (chance < 31) await replay(login)
    else await setDisabled(true)
  }

  async function readBack(): Promise<void> {
    for (const login of [...logins]) await read({ name: login.name, held: login.browser.held() })
    for (const one of ended) await read(one)
    for (const login of [...logins]) await refresh(login)
    const passwords = new Set(world.states().map(({ password }) => password))
    for (const password of passwords) await logIn(password)
  }

  return {
    step: async () => {
      await act()
      return true
    },
    readBack,
  }
}

function withLogin(state: World, name: string): World {
  return { ...state, active: [...state.active, name] }
}

function without(state: World, name: string): World {
  return { ...state, active: state.active.filter((one) => one !== name) }
}
