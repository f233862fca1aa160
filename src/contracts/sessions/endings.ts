import type { Session } from '../../domain/identity/session.js'
import { addAccount, logIn } from '../arrangements.js'
import { actAs, assertActive, assertInactive, rotate } from '../active-sessions.js'
import { startTogether } from '../barrier.js'
import { accountAfter, ENDINGS, type Ending } from '../endings.js'
import { lawOf, type Law } from '../law.js'
import { aRotation, NOW, SECOND } from '../samples.js'
import { onePointLaw } from './one-point.js'
import { successors } from './races.js'

const accountLaw = lawOf('sessions', addAccount)
const SOON = NOW + 5 * SECOND

/**
 * Contract tests for calls that end every session of an account and every session in which the account is the actor.
 */
export const sessionEndingLaws: readonly Law[] = [
  ...ENDINGS.map(endLaw),
  ...ENDINGS.map(raceLaw),
  // No login can start after the account is disabled or removed; a separate law covers enabling an account.
  ...ENDINGS.filter(({ name, locksOut }) => !locksOut && name !== 'disabling and enabling').map(
    ({ name, end }) =>
      onePointLaw(
        `an effect of ${name} is visible`,
        'A user who logs in again, after a logout or with a new password, stays logged in.',
        (store, account) => () => end(store, account),
      ),
  ),
]

function endLaw(ending: Ending): Law {
  return accountLaw(
    `${ending.name} ends exactly the sessions of the account and those in which it impersonates another account`,
  )
    .protects('A thief is logged out everywhere, and can no longer impersonate other accounts.')
    .check(async (store, ann) => {
      const [bob, eve] = [await addAccount(store, 'bob'), await addAccount(store, 'eve')]
      const kept = [await logIn(store, bob, 'own'), await actAs(store, bob, eve, 'by another')]
      const ended = [
        ...[await logIn(store, ann, 'first'), await rotate(store, await logIn(store, ann, 'second'))],
        ...[await actAs(store, ann, eve, 'acted on'), await actAs(store, bob, ann, 'acting')],
        await rotate(store, await actAs(store, bob, ann, 'acting again')),
      ]
      for (const session of [...kept, ...ended]) await assertActive(store, session, NOW + SECOND)
      await ending.end(store, ann)
      for (const session of ended) await assertInactive(store, session, SOON)
      for (const session of kept) await assertActive(store, session, SOON)
      const after = await accountAfter(store, ann, ending)
      if (after) await assertActive(store, await logIn(store, after, 'next'), SOON)
    })
}

function raceLaw({ name, end }: Ending): Law {
  return accountLaw(`logins and refreshes that race ${name} leave no session active`)
    .protects(
      'No thief stays logged in after the password is changed, or the account is disabled or removed.',
    )
    .inRounds(async (store, round, ann) => {
      const bob = await addAccount(store, `bob ${round}`)
      const own = await rotate(store, await logIn(store, ann, `own ${round}`))
      const acting = await rotate(store, await actAs(store, bob, ann, `acting ${round}`))
      const late: Session[] = []
      const refreshes = (caller: number) =>
        [own, acting].map((one) => () => store.sessions.rotate(aRotation(one, {}, caller)))
      const answers = await startTogether<unknown>([
        async () => late.push(await logIn(store, ann, `late ${round}`)),
        ...refreshes(1),
        () => end(store, ann),
        ...refreshes(2),
        async () => late.push(await actAs(store, bob, ann, `late acting ${round}`)),
      ])
      for (const session of [own, acting, ...late, ...successors(answers)])
        await assertInactive(store, session, SOON)
    })
}
