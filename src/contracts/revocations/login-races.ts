import assert from 'node:assert/strict'
import type { Account } from '../../domain/identity/account.js'
import type { StatelessLogin } from '../../ports/revocations.js'
import type { Store } from '../../ports/store.js'
import { addAccount } from '../arrangements.js'
import { ENDINGS } from '../endings.js'
import { assertInForce, assertRevoked, pairsIn, rotateLogin, statelessLogin } from '../stateless-logins.js'
import { assertRace, inRounds, race } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { aLoginRotation, DAY, NOW, SECOND } from '../samples.js'

const law = lawOf('revocations')
const accountLaw = lawOf('revocations', addAccount)
const END = NOW + 30 * DAY
const SOON = NOW + 5 * SECOND

type Stop = {
  readonly name: string
  readonly end: (store: Store, account: Account, login: StatelessLogin) => Promise<unknown>
}

/** The store calls that end a login in stateless mode. */
const STOPS: readonly Stop[] = [
  { name: 'a logout', end: ({ revocations }, _, { sessionId }) => revocations.revoke(sessionId, END) },
  ...ENDINGS,
]

/** Contract tests for concurrent refreshes of a login in stateless mode. */
export const loginRotationRaceLaws: readonly Law[] = [
  law('16 concurrent refreshes rotate a login once, and all callers get the same token pair')
    .protects('A tab does not log other tabs out, and no client gets an invalid token.')
    .check(async (store) => {
      const login = statelessLogin(await addAccount(store))
      let { from } = aLoginRotation(login)
      await inRounds(async () => {
        const answers = await assertRace({ rotated: 1, superseded: 15 }, (caller) =>
          store.revocations.rotate(aLoginRotation(login, { from }, caller)),
        )
        const winner = answers.findIndex(({ kind }) => kind === 'rotated')
        const { current } = pairsIn(answers[winner] ?? { kind: 'revoked' }, 'rotated')
        assert.deepEqual(current, aLoginRotation(login, { from }, winner).next)
        for (const answer of answers) assert.deepEqual('pairs' in answer && answer.pairs.current, current)
        from = current.pairId
      })
      await assertInForce(store, login, SOON)
    }),
  accountLaw(
    '16 concurrent refreshes without a grace period rotate the login once and detect the replay once',
  )
    .protects('With single-use tokens every race is a replay, and a replay ends the login.')
    .inRounds(async (store, round, ann) => {
      for (const label of ['first', 'later']) {
        const login = statelessLogin(ann, `${label} ${round}`)
        const before = label === 'later' ? await rotateLogin(store, login) : undefined
        const from = before?.current.pairId ?? aLoginRotation(login).from
        const request = { from, grace: 0, at: SOON }
        await assertRace({ rotated: 1, replayed: 1, revoked: 14 }, (caller) =>
          store.revocations.rotate(aLoginRotation(login, request, caller)),
        )
        await assertRevoked(store, login, END - 1)
      }
    }),
  accountLaw('16 concurrent refreshes with a spent token detect the replay once')
    .protects('A theft is audited once, and ends the login once.')
    .inRounds(async (store, round, ann) => {
      const login = statelessLogin(ann, `login ${round}`)
      await rotateLogin(store, login)
      const late = { at: NOW + DAY }
      await assertRace({ replayed: 1, revoked: 15 }, (caller) =>
        store.revocations.rotate(aLoginRotation(login, late, caller + 1)),
      )
      await assertRevoked(store, login, END - 1)
    }),
  ...STOPS.map(({ name, end }) =>
    law(`a refresh that races ${name} does not keep the login active`)
      .protects(
        'An ended login stays ended, and a thief cannot keep it active after a password change by refreshing it.',
      )
      .inRounds(async (store, round) => {
        for (const age of ['fresh', 'refreshed']) {
          const ann = await addAccount(store, `${age} ${round}`)
          const login = statelessLogin(ann, `${age} ${round}`)
          const before = age === 'refreshed' ? await rotateLogin(store, login) : undefined
          const from = before?.current.pairId ?? aLoginRotation(login).from
          await race<unknown>((caller) =>
            caller === 5
              ? end(store, ann, login)
              : store.revocations.rotate(aLoginRotation(login, { from, at: SOON }, caller)),
          )
          for (const at of [SOON, END - 1]) await assertRevoked(store, login, at)
        }
      }),
  ),
]
