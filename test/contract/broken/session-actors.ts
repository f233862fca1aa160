import type { Account, AccountId } from '../../../src/domain/identity/account.js'
import type { Actor, Session, SessionId } from '../../../src/domain/identity/session.js'
import type { Instant } from '../../../src/domain/instant.js'
import type { Accounts } from '../../../src/ports/accounts.js'
import type { Sessions } from '../../../src/ports/sessions.js'
import { breakageOf, breakageOfStore, everybodyElse, type Breakage } from './breakage.js'

const broken = breakageOf('sessions')

export const brokenSessionActors: readonly Breakage[] = [
  broken('actors are dropped on opening', ['TODO'], (inner) => ({
    open: ({ actor: _, ...session }) => inner.open(session),
  })),
  broken('a refresh drops the actor', ['TODO'], (inner) => ({
    async rotate(request) {
      const answer = await inner.rotate(request)
      if (answer.kind !== 'rotated') return answer
      const { actor: _, ...session } = answer.session
      await inner.open(session)
      return { kind: 'rotated', session }
    },
  })),
  broken('a refresh hands out no actor', ['TODO'], (inner) => ({
    async rotate(request) {
      const answer = await inner.rotate(request)
      if (answer.kind !== 'superseded') return answer
      const { actor: _, ...session } = answer.session
      return { kind: 'superseded', session }
    },
  })),
  broken('pages leave the actor out', ['TODO'], (inner) => ({
    pageOf: async (request) => (await inner.pageOf(request)).map(({ actor: _, ...session }) => session),
  })),
  broken('nobody looks at the actor', ['TODO'], (inner) => withActors(inner, async () => true)),
  broken('only the epoch of the actor is looked at, not the lock', ['TODO'], (inner, { accounts }) =>
    withActors(
      inner,
      async ({ accountId, epoch }) => (await accounts.find(accountId))?.epoch === epoch,
    ),
  ),
  broken('only the lock of the actor is looked at, not the epoch', ['TODO'], (inner, { accounts }) =>
    withActors(inner, async ({ accountId }) => isEnabled(await accounts.find(accountId))),
  ),
  broken('a removed actor still acts', ['TODO'], (inner, { accounts }) =>
    withActors(inner, async ({ accountId, epoch }) => {
      const account = await accounts.find(accountId)
      return account === undefined || (isEnabled(account) && account.epoch === epoch)
    }),
  ),
  broken('the actor is looked at once, on opening', ['TODO'], (inner, { accounts }) => {
    const aside = withActors(inner, async () => true)
    return {
      ...aside,
      async open(session) {
        const account = session.actor && (await accounts.find(session.actor.accountId))
        const living = account?.epoch === session.actor?.epoch && account?.disabledAt === undefined
        if (living) await aside.open(session)
      },
    }
  }),
  broken('a refresh does not look at the actor', ['TODO'], (inner) => {
    const { rotate } = withActors(inner, async () => true)
    const opened = new Map<SessionId, Session>()
    return {
      async open(session) {
        opened.set(session.id, session)
        await inner.open(session)
      },
      async rotate(request) {
        const answer = await inner.rotate(request)
        const session = opened.get(request.sessionId)
        if (answer.kind !== 'unknown' || !session?.actor) return answer
        return rotate ? { kind: 'superseded', session } : answer
      },
    }
  }),
]

/** Keeps the actors beside the sessions, which knows nothing of them; `lives` is all that is asked of an actor. */
function withActors(
  inner: Sessions,
  lives: (actor: Actor, at: Instant) => Promise<boolean>,
): Pick<Sessions, 'open' | 'find' | 'findById' | 'pageOf' | 'rotate'> {
  throw new Error('draft')
}

function isEnabled(account: Account | undefined): boolean {
  return account !== undefined && account.disabledAt === undefined
}
