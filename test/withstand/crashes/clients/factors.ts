import { createBrowser, LOGIN } from '../../../support/http/browser.js'
import { CONFIRM, setUp, STEP, viewOf } from '../../../support/http/factor.js'
import type { Reply } from '../../../support/http/client.js'
import { oneTimeCode } from '../../../support/one-time-code.js'
import { createPossible, type Possible } from '../journal.js'
import { notAllowed } from '../line.js'
import { inTurn, type ClientParts, type CrashClient } from './client.js'

type Code = {
  readonly text: string
  /** From then on its refusal tells nothing; by the clock of the service. */
  readonly until: number
  readonly isSpent: Possible<boolean>
}
type FactorAccount = { readonly email: string; readonly password: string }

/** Of one account and address five wrong codes are answered; fewer are sent here, since lost ones may count too. */
const MOST_WRONG = 2

/**
 * Sets second factors up, one account after the other, and logs in with their codes: each is good once, and is tried more
 * often. `clock` tells the time that the service has.
 */
export function createFactorsClient(
  parts: ClientParts,
  accounts: readonly FactorAccount[],
  clock: () => number,
): CrashClient {
  return inTurn(accounts.map((account) => createFactorClient(parts, account, clock)))
}

function createFactorClient(
  { newLine, random, journal }: ClientParts,
  { email, password }: FactorAccount,
  clock: () => number,
): CrashClient {
  const line = newLine()
  const browser = createBrowser(line, email)
  const isActive = createPossible(journal, `second factor of ${email}`, false)
  let codes: readonly Code[] = []
  let phase: 'new' | 'set up' | 'over' = 'new'
  let wrong = 0

  /** Where an answer is lost on the way the account is only looked at again. */
  async function begin(): Promise<void> {
    phase = 'over'
    const login = await line.known(browser.login(password))
    if (login?.status !== 200) return
    const made = await line.known(setUp(browser, password))
    if (made?.status !== 200) return
    const secret = String(viewOf(made)['secret'])
    const at = clock()
    const json = { code: oneTimeCode(secret, at) }
    const confirmed = await line.known(browser.send('POST', CONFIRM, { json }))
    if (!confirmed) {
      isActive.lost('confirmation', () => true)
      return
    }
    if (confirmed.status !== 200) throw unexpected('confirmation', confirmed)
    isActive.done('confirmation', () => true)
    const recovery = viewOf(confirmed)['recoveryCodes'] as readonly string[]
    const next = Math.floor(at / STEP) + 1
    codes = [
      codeOf(oneTimeCode(secret, next * STEP), (next + 1) * STEP),
      ...recovery.map((text) => codeOf(text, Infinity)),
    ]
    phase = 'set up'
  }

  function codeOf(text: string, until: number): Code {
    return { text, until, isSpent: createPossible(journal, `a code of ${email}`, false) }
  }

  async function use({ text, until, isSpent }: Code): Promise<void> {
    const json = { email, password, code: text }
    const reply = await line.known(line.client.call('POST', LOGIN, { json }))
    const spend = (spent: boolean) => (spent ? undefined : true)
    if (!reply) {
      wrong += 1
      isSpent.lost('login with it', spend)
    } else if (reply.status === 200) isSpent.done('login with it', spend)
    else if (reply.status === 401) {
      wrong += 1
      if (clock() < until) isSpent.seen('refusal of it', (spent) => spent)
      else isSpent.done('refusal of it, too late', () => true)
    } else throw unexpected('login with a code', reply)
  }

  /** A password alone is enough exactly where there is no factor. */
  async function look(): Promise<void> {
    const reply = await line.known(line.client.call('POST', LOGIN, { json: { email, password } }))
    if (reply?.status === 200) isActive.seen('login without a code', (active) => !active)
    else if (reply?.status === 401) isActive.seen('refusal without a code', (active) => active)
    else if (reply) throw unexpected('login without a code', reply)
  }

  function unexpected(what: string, reply: Reply): Error {
    return notAllowed(journal, `${what} of ${email}: ${String(reply.status)} ${reply.text}`)
  }

  const mayBeSpent = ({ isSpent }: Code) => isSpent.states().includes(true)

  /** One of which it is unknown is tried at once, one that was accepted now and then. */
  function nextCode(): Code | undefined {
    const unclear = codes.find(({ isSpent }) => isSpent.states().length > 1)
    if (unclear) return unclear
    const spent = codes.filter(mayBeSpent)
    const mayRepeat = spent.length > 0 && wrong < MOST_WRONG && random.below(4) === 0
    if (mayRepeat) return random.below(2) === 0 ? spent[0] : random.pick(spent)
    return codes.find((code) => !mayBeSpent(code))
  }

  return {
    step: async () => {
      if (phase === 'over') return false
      if (phase === 'new') {
        await begin()
        return true
      }
      const code = wrong > MOST_WRONG ? undefined : nextCode()
      if (code) await use(code)
      else phase = 'over'
      return true
    },
    readBack: async () => {
      await look()
      const accepted = codes.filter(({ isSpent }) => !isSpent.states().includes(false))
      for (const code of accepted.slice(0, 1 + MOST_WRONG - wrong)) await use(code)
    },
  }
}
