import { createBrowser } from '../../../support/http/browser.js'
import { createPossible, type Possible } from '../journal.js'
import { notAllowed, type Line } from '../line.js'
import type { ClientParts, CrashClient } from './client.js'

/** How many logins of one account may fail from one address. */
export const ATTEMPTS = 12

type Counted = { readonly email: string; readonly line: Line; readonly count: Possible<number> }

/** Fails logins until they are refused, with some right ones between; then goes on with the next account. */
export function createAttemptsClient(
  { newLine, random, journal, mayForget }: ClientParts,
  { emails, password }: { readonly emails: readonly string[]; readonly password: string },
): CrashClient {
  const all: Counted[] = emails.map((email) => ({
    email,
    line: newLine(),
    count: createPossible(journal, `failed logins of ${email}`, 0),
  }))

  async function attempt({ email, line, count }: Counted, isRight: boolean): Promise<void> {
    const browser = createBrowser(line, email)
    const reply = await line.known(browser.login(isRight ? password : 'a wrong password'))
    const what = isRight ? 'right login' : 'wrong login'
    // The attempt is counted first, and refunded where it was right.
    if (mayForget()) forget(count)
    const counted = (state: number) => (state < ATTEMPTS ? state + 1 : undefined)
    if (!reply) count.lost(what, counted)
    else if (reply.status === 429) count.seen(`${what}: 429`, (state) => state >= ATTEMPTS)
    else if (reply.status !== (isRight ? 200 : 401))
      throw notAllowed(journal, `${what} of ${email}: ${String(reply.status)} ${reply.text}`)
    else if (isRight) count.seen(`${what}: 200`, (state) => state < ATTEMPTS)
    else count.done(`${what}: 401`, counted)
  }

  function open(): Counted | undefined {
    return all.find(({ count }) => count.states().some((state) => state < ATTEMPTS))
  }

  return {
    step: async () => {
      const counted = open() ?? random.pick(all)
      await attempt(counted, random.below(5) === 0)
      return true
    },
    readBack: async () => {
      for (const counted of all) await attempt(counted, false)
    },
    onElection: () => {
      for (const { count } of all) forget(count)
    },
  }
}

/**
 * A majority is not waited for with these counts: with the primary go some of those that were acknowledged last, and
 * refunds too.
 */
function forget(count: Possible<number>): void {
  const most = Math.min(Math.max(...count.states()) + 1, ATTEMPTS)
  count.also(
    'election',
    Array.from({ length: most + 1 }, (_, value) => value),
  )
}
