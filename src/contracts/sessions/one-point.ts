import assert from 'node:assert/strict'
import type { Account } from '../../domain/identity/account.js'
import type { Session } from '../../domain/identity/session.js'
import type { Store } from '../../ports/store.js'
import { accountOf, addAccount, logIn } from '../arrangements.js'
import { assertActive, assertInactive, read } from '../active-sessions.js'
import { inRounds, numbersBelow, startTogether } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { NOW, SECOND } from '../samples.js'

type End = () => Promise<unknown>
type Prepare = (store: Store, account: Account) => End | Promise<End>

/** Defines the law that a call ends all sessions at a single point in time; `event` describes the visible effect of the call. */
export function onePointLaw(event: string, protects: string, prepare: Prepare, bumpsEpoch = true): Law {
  return lawOf('sessions')(`a login that starts after ${event} stays active`)
    .protects(protects)
    .check((store) => assertOnePoint(store, prepare, bumpsEpoch))
}

/**
 * Starts logins while a call ends the account's sessions: half of them as soon as the account has its new epoch, and half as soon as an
 * older session has ended. Each login then reads the account, and its session must still be active at the end.
 */
async function assertOnePoint(store: Store, prepare: Prepare, bumpsEpoch: boolean): Promise<void> {
  const { id } = await addAccount(store)
  await inRounds(async (round) => {
    const account = await accountOf(store, id)
    const older = await logIn(store, account, `older ${round}`)
    const end = effectOf(await prepare(store, account))
    const later: Session[] = []
    const logins = numbersBelow(8).map((caller) => async () => {
      const byEpoch = bumpsEpoch && caller % 2 === 0
      await end.seen(() => (byEpoch ? hasNewEpoch(store, account) : isGone(store, older)))
      await end.seen(async () => (await accountOf(store, id)).disabledAt === undefined)
      later.push(await logIn(store, await accountOf(store, id), `login ${round} ${caller}`))
    })
    await startTogether<unknown>([...logins.slice(4), end.call, ...logins.slice(0, 4)])
    await assertInactive(store, older, NOW + SECOND)
    for (const session of later) await assertActive(store, session, NOW + SECOND)
  })
}

async function hasNewEpoch(store: Store, { id, epoch }: Account): Promise<boolean> {
  return (await accountOf(store, id)).epoch !== epoch
}

async function isGone(store: Store, session: Session): Promise<boolean> {
  return (await read(store, session, NOW + SECOND)) === undefined
}

/**
 * Wraps a call so that its effect can be awaited: `seen` calls `look` until it returns true, and other callers run in between. `seen`
 * rejects if the effect is not visible after the call has returned, because the law would never end otherwise.
 */
export function effectOf(call: End): {
  readonly call: End
  seen(look: () => Promise<boolean>): Promise<void>
} {
  let hasEnded = false
  return {
    call: async () => {
      try {
        return await call()
      } finally {
        hasEnded = true
      }
    },
    seen: async (look) => {
      for (let wasOver = hasEnded; !(await look()); wasOver = hasEnded) {
        assert.ok(!wasOver, 'the effect of the call is visible')
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}
