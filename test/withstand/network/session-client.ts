import {
  createBrowser,
  envelopeOf,
  identityWith,
  keep,
  refreshWith,
  type Held,
  type Served,
} from '../../support/http/browser.js'
import type { Reply } from '../../support/http/client.js'
import type { Actor, Scene } from './scene.js'

/** What one client knows of its login. */
type Login = {
  held: Held
  /** A logout was acknowledged, or the session was seen to have ended after one that was not. */
  ended: boolean
  /** A logout was sent. */
  ending: boolean
}

/** Logs in, asks who it is, renews its pair and logs out, again and again, by any of the services. */
export async function useSessions(scene: Scene, actor: Actor, email: string): Promise<void> {
  const logins: Login[] = []
  while (!scene.isOver()) {
    const login = await logIn(actor, email)
    if (!login) continue
    logins.push(login)
    while (!login.ended && !scene.isOver()) await useLogin(actor, login)
    if (login.ended) await seeItEnded(scene, actor, login)
  }
  for (const login of logins) await settle(scene, actor, login)
}

async function logIn(actor: Actor, email: string): Promise<Login | undefined> {
  let held: Held = {}
  const reply = await actor.ask('login', async (service) => {
    const browser = createBrowser(service, email)
    const answer = await browser.login()
    held = browser.held()
    return answer
  })
  if (!reply) return undefined
  if (reply.status === 200) return { held, ended: false, ending: false }
  actor.violate(`the right password was answered with ${String(reply.status)}`)
  return undefined
}

async function useLogin(actor: Actor, login: Login): Promise<void> {
  const draw = actor.draws.below(10)
  if (draw < 2) await logOut(actor, login)
  else if (draw < 5 && !login.ending) await refresh(actor, login)
  else await look(actor, login, await actor.ask('identity', (service) => identityWith(service, login.held)))
}

/** A reply that came counts; where none came the same pair is good until there is one. */
async function refresh(actor: Actor, login: Login): Promise<void> {
  const reply = await actor.insist('refresh', (service) => refreshWith(service, login.held))
  if (!reply) return
  if (reply.status === 200) login.held = keep(login.held, reply)
  else fail(actor, login, `an active login was refused a refresh with ${String(reply.status)}`)
}

async function logOut(actor: Actor, login: Login): Promise<void> {
  login.ending = true
  const reply = await actor.ask('logout', (service) => logoutWith(service, login.held))
  if (!reply) return
  login.ended = true
  if (reply.status !== 200) actor.violate(`a logout was answered with ${String(reply.status)}`)
}

function logoutWith(service: Served, held: Held): Promise<Reply> {
  return createBrowser(service, '', { held }).logout()
}

async function look(actor: Actor, login: Login, reply: Reply | undefined): Promise<void> {
  if (!reply) return
  const isActive = reply.status === 200 && envelopeOf(reply).view.loggedIn
  if (isActive && login.ended) fail(actor, login, 'a login that has ended is active again')
  if (!isActive && !login.ending) fail(actor, login, 'a login that was acknowledged is not active')
  if (!isActive) login.ended = true
}

/** Reads that were sent after the end was acknowledged, at every service. */
async function seeItEnded(scene: Scene, actor: Actor, login: Login): Promise<void> {
  for (const service of scene.services) {
    await look(
      actor,
      login,
      await actor.ask('identity after the end', () => identityWith(service, login.held)),
    )
  }
}

/** The network is whole: what was acknowledged is there, and what has ended has. */
async function settle(scene: Scene, actor: Actor, login: Login): Promise<void> {
  if (login.ending && !login.ended) await actor.insist('logout', (service) => logoutWith(service, login.held))
  login.ended ||= login.ending
  for (const service of scene.services) {
    await look(actor, login, await actor.insist('identity', () => identityWith(service, login.held)))
  }
}

function fail(actor: Actor, login: Login, what: string): void {
  actor.violate(what)
  login.ending = true
  login.ended = true
}
