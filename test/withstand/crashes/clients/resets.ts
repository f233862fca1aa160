import { createBrowser } from '../../../support/http/browser.js'
import { RESET_PASSWORD } from '../../../support/http/resetting.js'
import { createPossible } from '../journal.js'
import { notAllowed } from '../line.js'
import { inTurn, type ClientParts, type CrashClient } from './client.js'

/** One of the tokens is good for one password; then all are void. */
type World = { readonly password: string; readonly spent: boolean }

export type ResetAccount = {
  readonly email: string
  readonly password: string
  readonly tokens: readonly string[]
}

const TRIES = 6

/** Consumes reset tokens of one account after the other, each several times with another password. */
export function createResetsClient(parts: ClientParts, accounts: readonly ResetAccount[]): CrashClient {
  return inTurn(accounts.map((account) => createResetClient(parts, account)))
}

function createResetClient({ newLine, random, journal }: ClientParts, account: ResetAccount): CrashClient {
  const { email, password: first, tokens } = account
  const line = newLine()
  const world = createPossible<World>(journal, `resets of ${email}`, { password: first, spent: false })
  let tries = 0

  async function consume(): Promise<void> {
    const password = `a harbour at dawn ${String((tries += 1))}`
    const json = { email, resetToken: random.pick(tokens), password }
    const reply = await line.known(line.client.call('POST', RESET_PASSWORD, { json }))
    const what = `reset to "${password}"`
    const consumed = (state: World) => (state.spent ? undefined : { password, spent: true })
    if (!reply) world.lost(what, consumed)
    else if (reply.status === 200) world.done(`${what}: 200`, consumed)
    else if (reply.status === 400) world.seen(`${what}: 400`, ({ spent }) => spent)
    else throw notAllowed(journal, `${what} of ${email}: ${String(reply.status)} ${reply.text}`)
  }

  async function logIn(password: string): Promise<void> {
    const reply = await line.known(createBrowser(line, email).login(password))
    if (!reply) return
    const isRight = reply.status === 200
    world.seen(`login with "${password}": ${String(reply.status)}`, (state) =>
      isRight ? state.password === password : state.password !== password,
    )
  }

  return {
    step: async () => {
      if (tries >= TRIES) return false
      if (random.below(3) === 0) await logIn(random.pick(world.states()).password)
      else await consume()
      return true
    },
    readBack: async () => {
      for (const { password } of world.states()) await logIn(password)
    },
  }
}
