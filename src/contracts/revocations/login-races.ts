import assert from 'node:assert/strict'
import type { Account } from '../../domain/identity/account.js'
import type { Store } from '../../ports/store.js'
import { accountOf, enrol } from '../arrangements.js'
import { assertInForce, assertRevoked, pairsOf, rotateLogin, statelessLogin } from '../stateless-logins.js'
import { assertRace, inRounds, race } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { aLoginRotation, DAY, hashOf, NOW, SECOND } from '../samples.js'

const law = lawOf('revocations')
const accountLaw = lawOf('revocations', enrol)
const END = NOW + 30 * DAY
const SOON = NOW + 5 * SECOND

/** Concurrent refreshes of a login in stateless mode. */
export const loginRotationRaceLaws: readonly Law[] = [
  law('16 concurrent refreshes of a login rotate it once, and all callers get its pair')
    .protects('No tab logs another out, and no client gets a dead token.')
    .check(async (store) => {
      const login = statelessLogin(await enrol(store))
      let { from } = aLoginRotation(login)
      await inRounds(async () => {
        const answers = await assertRace({ rotated: 1, superseded: 15 }, (caller) =>
          store.revocations.rotate(aLoginRotation(login, { from }, caller)),
        )
        const winner = answers.findIndex(({ kind }) => kind === 'rotated')
        const { current } = pairsOf(answers[winner] ?? { kind: 'revoked' }, 'rotated')
        assert.deepEqual(current, aLoginRotation(login, { from }, winner).next)
        for (const answer of answers) assert.deepEqual('pairs' in answer && answer.pairs.current, current)
        from = current.pairId
      })
      await assertInForce(store, login, SOON)
    }),
  accountLaw('16 concurrent refreshes without grace rotate the login once and find the replay once')
    .protects('With single use every race is a replay, and a replay ends the login.')
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
  accountLaw('16 concurrent callers with a spent token find the replay once')
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
  law('a refresh of a login that races a logout leaves nothing active')
    .protects('An ended login stays ended.')
    .check((store) =>
      assertNothingLeft(store, async ({ id }, round) => {
        const { sessionId } = statelessLogin({ id } as Account, `login ${round}`)
        assert.equal(await store.revocations.revoke(sessionId, END), 'revoked')
      }),
    ),
  law('a refresh of a login that races a password change leaves nothing active')
    .protects('A thief cannot refresh a login across a new password.')
    .check((store) =>
      assertNothingLeft(
        store,
        async ({ id }, round) => await store.accounts.setPassword(id, hashOf(`new ${round}`)),
      ),
    ),
]

/** 15 callers refresh a login while one caller stops it, before its first refresh and after it. */
async function assertNothingLeft(store: Store, stop: (account: Account, round: string) => Promise<unknown>) {
  const { id } = await enrol(store)
  await inRounds(async (count) => {
    for (const age of ['fresh', 'refreshed']) {
      const round = `${age} ${count}`
      const account = await accountOf(store, id)
      const login = statelessLogin(account, `login ${round}`)
      const before = age === 'refreshed' ? await rotateLogin(store, login) : undefined
      const from = before?.current.pairId ?? aLoginRotation(login).from
      await race<unknown>((caller) =>
        caller === 5
          ? stop(account, round)
          : store.revocations.rotate(aLoginRotation(login, { from, at: SOON }, caller)),
      )
      await assertRevoked(store, login, SOON)
      await assertRevoked(store, login, END - 1)
    }
  })
}
