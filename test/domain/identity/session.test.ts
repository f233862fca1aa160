import { expect } from 'chai'
import type { AccountId } from '../../../src/domain/identity/account.js'
import {
  clientName,
  isFoundBy,
  isPastEnd,
  networkOf,
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
  it('ends as soon as it reaches its absolute or idle expiration time', () => {
    const { endsAt, current } = { ...refreshed, endsAt: NOON + 5_000 }
    const at = (moment: number, idleEndsAt = moment + 1) =>
      isPastEnd({ ...refreshed, endsAt, current: { ...current, idleEndsAt } }, moment)
    expect([at(endsAt - 1), at(endsAt), at(endsAt + 1)]).to.deep.equal([false, true, true])
    expect([at(NOON, NOON + 1), at(NOON, NOON), at(NOON, NOON - 1)]).to.deep.equal([false, true, true])
  })

  it('reports the network of the last refresh, or of the login if there was no refresh', () => {
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

  it('is found by the current key, and by the previous key within the grace window', () => {
    const found = (digest: KeyDigest, at: number) => isFoundBy(refreshed, digest, at)
    for (const at of [NOON, NOON + GRACE, NOON + 1_000 * GRACE])
      expect([found(SECOND.keyDigest, at), found(OTHER, at)]).to.deep.equal([true, false])
    expect([found(FIRST.keyDigest, NOON + GRACE - 1), found(FIRST.keyDigest, NOON + GRACE)]).to.deep.equal([
      true,
      false,
    ])
  })
})

describe('the stored name of a client', () => {
  it('contains no character that has a special meaning in HTML, a terminal or a log', () => {
    expect(clientName('<img src=x onerror="alert(1)">')).to.equal('img src x onerror alert(1)')
    expect(clientName('a\u001b[31mb\r\nc\u0000d')).to.equal('a 31mb c d')
    expect(clientName('=cmd|calc')).to.equal('cmd calc')
    expect(clientName('\u202eabc\u200b é犬')).to.equal('abc')
  })

  it('contains no text that an email client turns into a link', () => {
    expect(clientName('https://evil.example/login?now')).to.equal('https //evil example/login now')
    expect(clientName('www.evil.example. kennel@evil.example')).to.equal(
      'www evil example kennel evil example',
    )
    expect(clientName('evil1.example 2.example .3')).to.equal('evil1 example 2 example 3')
  })

  it('has at most 64 characters, and no leading or trailing spaces', () => {
    expect(clientName('x'.repeat(65))).to.equal('x'.repeat(64))
    expect(clientName(`  ${'x'.repeat(64)}`)).to.equal('x'.repeat(64))
    expect(clientName(`  ${'x'.repeat(63)} ${'y'.repeat(9)}  `)).to.equal('x'.repeat(63))
  })

  it('is undefined if no characters remain', () => {
    for (const text of ['', ' ', '犬', '\u0000', '<>&"']) expect(clientName(text)).to.equal(undefined)
  })
})
