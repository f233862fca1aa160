import type { Account } from '../../domain/identity/account.js'
import type { Session } from '../../domain/identity/session.js'
import type { Store } from '../../ports/store.js'
import { accountOf, enrol, logIn } from '../arrangements.js'
import { assertActive, assertDead, read } from '../active-sessions.js'
import { inRounds, releaseTogether } from '../barrier.js'
import { NOW, SECOND } from '../samples.js'

type Prepare = (account: Account) => Promise<() => Promise<unknown>>

/**
 * While the sessions of an account are ended, logins begin as soon as anything of it can be seen: half of
 * them by the account's new epoch, where it gets one, the others by an older session that is gone. Each reads the
 * account then, and its session is active when all is done.
 */
export async function assertOnePoint(store: Store, prepare: Prepare, { bumpsEpoch } = { bumpsEpoch: true }) {
  const { id } = await enrol(store)
  await inRounds(async (round) => {
    const account = await accountOf(store, id)
    const older = await logIn(store, account, `older ${round}`)
    const end = await prepare(account)
    const later: Session[] = []
    const logins = Array.from({ length: 8 }, (_, caller) => async () => {
      const byEpoch = bumpsEpoch && caller % 2 === 0
      await until(() => (byEpoch ? hasNewEpoch(store, account) : isGone(store, older)))
      later.push(await logIn(store, await enabled(store, account), `login ${round} ${caller}`))
    })
    await releaseTogether<unknown>([...logins.slice(4), end, ...logins.slice(0, 4)])
    await assertDead(store, older, NOW + SECOND)
    for (const session of later) await assertActive(store, session, NOW + SECOND)
  })
}

async function hasNewEpoch(store: Store, { id, epoch }: Account): Promise<boolean> {
  return (await accountOf(store, id)).epoch !== epoch
}

async function isGone(store: Store, session: Session): Promise<boolean> {
  return (await read(store, session, NOW + SECOND)) === undefined
}

/** The account as a login finds it that is refused for as long as there is a lock. */
async function enabled(store: Store, { id }: Account): Promise<Account> {
  let account = await accountOf(store, id)
  await until(async () => {
    account = await accountOf(store, id)
    return account.disabledAt === undefined
  })
  return account
}

/** Looks again and again, and lets everybody else have their turn in between. */
export async function until(look: () => Promise<boolean>): Promise<void> {
  while (!(await look())) await new Promise((resolve) => setImmediate(resolve))
}
