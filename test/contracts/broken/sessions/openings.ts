import type { Session } from '../../../../src/domain/identity/session.js'
import type { Sessions } from '../../../../src/ports/sessions.js'
import { breakageOf, everybodyElse, type Breakage } from '../breakage.js'

const broken = breakageOf('sessions')
const ORIGIN = 'a session tells where its login came from, as far as that is known, after a refresh too'
const DEAD =
  'of a session that its account or its actor does not let be active when it is opened nothing is kept'
const OLDEST = 'openWithLimit opens the session, and ends the oldest of those that are too many'
const NEVER = 'openWithLimit never ends the session that it opens, also where its clock is behind'
const PLACES = 'what has ended and what has an actor takes no place of the limit'
const RACE = 'however many are opened with a limit at once, as many as may be are active when all are done'

/** What is wrong about how sessions are opened. */
export const brokenSessionOpenings: readonly Breakage[] = [
  broken('where a login came from is not kept', [ORIGIN], (inner) => ({
    open: ({ openedBy: _, ...session }) => inner.open(session),
  })),
  broken('where a login came from is empty and not absent', [ORIGIN], (inner) => ({
    open: (session) => inner.open({ openedBy: {}, ...session }),
  })),
  broken('of where a login came from half is kept', [ORIGIN], (inner) => ({
    open: ({ openedBy, ...session }) =>
      inner.open({ ...session, ...(openedBy?.client && { openedBy: { client: openedBy.client } }) }),
  })),
  broken('what is opened is kept, whatever has become of its account', [DEAD], (inner) =>
    keepingDead(inner, 'open'),
  ),
  broken('with a limit what is opened is kept, whatever has become of its account', [DEAD], (inner) =>
    keepingDead(inner, 'openWithLimit'),
  ),
  broken('what is not opened ends others all the same', [DEAD], (inner) => ({
    async openWithLimit(session, most) {
      const ended = await inner.openWithLimit(session, most)
      const { id, createdAt } = session
      if (!(await inner.findById(id, createdAt)))
        await endAll(inner, (await othersOf(inner, session)).slice(most))
      return ended
    },
  })),
  broken('the limit is not heeded', [OLDEST, NEVER, RACE], (inner) => ({
    async openWithLimit(session) {
      await inner.open(session)
      return 0
    },
  })),
  broken('the limit is one too many', [OLDEST, NEVER], (inner) => ({
    openWithLimit: (session, most) => inner.openWithLimit(session, most + 1),
  })),
  broken('the limit leaves no place for the new one', [OLDEST, NEVER], (inner) => ({
    async openWithLimit(session, most) {
      await inner.open(session)
      return await endAll(inner, (await othersOf(inner, session)).slice(0, -most).concat(session))
    },
  })),
  broken('the newest go', [OLDEST], (inner) => ({
    async openWithLimit(session, most) {
      const others = await othersOf(inner, session)
      await inner.open(session)
      return await endAll(inner, others.slice(most - 1))
    },
  })),
  broken('the session that is opened may be the one that goes', [NEVER], (inner) => ({
    async openWithLimit(session, most) {
      await inner.open(session)
      const { accountId, createdAt: at } = session
      const all = await inner.pageOf({ accountId, limit: 100, at })
      return await endAll(inner, all.slice(0, Math.max(0, all.length - most)))
    },
  })),
  broken('those with an actor take a place', [PLACES], (inner) => ({
    async openWithLimit(session, most) {
      const { accountId, createdAt: at } = session
      const others = await inner.pageOf({ accountId, limit: 100, at })
      await inner.open(session)
      return await endAll(inner, others.slice(0, Math.max(0, others.length + 1 - most)))
    },
  })),
  broken('the end of the oldest is not counted', [OLDEST, NEVER], (inner) => ({
    async openWithLimit(session, most) {
      await inner.openWithLimit(session, most)
      return 0
    },
  })),
  broken('of those that are opened at once each ends all others', [RACE], (inner) => ({
    async openWithLimit(session, most) {
      await inner.open(session)
      await everybodyElse()
      const others = (await othersOf(inner, session)).filter(({ id }) => id !== session.id)
      return await endAll(inner, others.slice(0, Math.max(0, others.length + 1 - most)))
    },
  })),
  broken('the limit looks, then opens', [RACE], (inner) => ({
    async openWithLimit(session, most) {
      const others = await othersOf(inner, session)
      await everybodyElse()
      await inner.open(session)
      return await endAll(inner, others.slice(0, Math.max(0, others.length + 1 - most)))
    },
  })),
]

/** Counts what is not kept among what a purge removes, as if it had been. */
function keepingDead(inner: Sessions, call: 'open' | 'openWithLimit'): Partial<Sessions> {
  let dead = 0
  async function opening<Answer>({ id, createdAt }: Session, open: () => Promise<Answer>): Promise<Answer> {
    const answer = await open()
    if (!(await inner.findById(id, createdAt))) dead += 1
    return answer
  }
  return {
    purge: async (...given) => (await inner.purge(...given)) + dead,
    ...(call === 'open'
      ? { open: (session) => opening(session, () => inner.open(session)) }
      : { openWithLimit: (session, most) => opening(session, () => inner.openWithLimit(session, most)) }),
  }
}

async function othersOf(
  sessions: Sessions,
  { accountId, createdAt: at }: Session,
): Promise<readonly Session[]> {
  return (await sessions.pageOf({ accountId, limit: 100, at })).filter(({ actor }) => !actor)
}

async function endAll(sessions: Sessions, these: readonly Session[]): Promise<number> {
  for (const { id } of these) await sessions.end(id)
  return these.length
}
