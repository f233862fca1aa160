import { expect } from 'chai'
import type { AccountId } from '../../../src/domain/identity/account.js'
import {
  isFoundBy,
  isPastEnd,
  networkOf,
  openPrevious,
  type KeyDigest,
} from '../../../src/domain/identity/session.js'
import { generation, NOON, session } from '../../support/several-processes/samples.js'

const GRACE = 10_000
const OTHER = 'digest of another' as KeyDigest
const [FIRST, SECOND] = [generation('one', 1), generation('one', 2)]
const refreshed = {
  ...session('one', 1 as AccountId),
  current: SECOND,
  previous: { pairId: FIRST.pairId, keyDigest: FIRST.keyDigest, until: NOON + GRACE },
}

describe('a session', () => {
  it('has ended from its absolute end or its idle end onwards', () => {
    const { endsAt, current } = { ...refreshed, endsAt: NOON + 5_000 }
    const at = (moment: number, idleEndsAt = moment + 1) =>
      isPastEnd({ ...refreshed, endsAt, current: { ...current, idleEndsAt } }, moment)
    expect([at(endsAt - 1), at(endsAt), at(endsAt + 1)]).to.deep.equal([false, true, true])
    expect([at(NOON, NOON + 1), at(NOON, NOON), at(NOON, NOON - 1)]).to.deep.equal([false, true, true])
  })

  it('has a previous generation until its window closes', () => {
    expect(openPrevious(refreshed, NOON + GRACE - 1)).to.equal(refreshed.previous)
    expect(openPrevious(refreshed, NOON + GRACE)).to.equal(undefined)
    expect(openPrevious(session('one', 1 as AccountId), NOON)).to.equal(undefined)
  })

  it('was last used in the network of its last refresh, or of its login without a refresh', () => {
    const opened = {
      ...session('one', 1 as AccountId),
      openedBy: { client: 'Firefox', network: 'of the login' },
    }
    const current = { ...SECOND, network: 'of the refresh' }
    expect(networkOf({ ...opened, current })).to.equal('of the refresh')
    expect(networkOf({ ...session('one', 1 as AccountId), current })).to.equal('of the refresh')
    expect(networkOf(opened)).to.equal('of the login')
    expect(networkOf(session('one', 1 as AccountId))).to.equal(undefined)
  })

  it('is found by its current key, and by its previous key within the window', () => {
    const found = (digest: KeyDigest, at: number) => isFoundBy(refreshed, digest, at)
    for (const at of [NOON, NOON + GRACE, NOON + 1_000 * GRACE])
      expect([found(SECOND.keyDigest, at), found(OTHER, at)]).to.deep.equal([true, false])
    expect([found(FIRST.keyDigest, NOON + GRACE - 1), found(FIRST.keyDigest, NOON + GRACE)]).to.deep.equal([
      true,
      false,
    ])
  })
})
