import { expect } from 'chai'
import { CHALLENGE_LIFETIME } from '../../../../src/domain/identity/passkey.js'
import { createKeyRing, createSessionKeys } from '../../../../src/adapters/keyring/index.js'
import { createMemoryStore } from '../../../../src/adapters/memory/store.js'
import { systemRandomness } from '../../../../src/adapters/system/index.js'
import { createPasskeyChallenges } from '../../../../src/application/identity/passkeys/challenges.js'
import { START } from '../../../support/use-cases.js'

const LOGIN = { ceremony: 'login', binding: 'a browser' } as const
const PASSPHRASES = { current: 'the current passphrase', previous: ['the previous passphrase'] }

describe('passkey challenges', () => {
  async function start() {
    const ring = await createKeyRing(PASSPHRASES, 'HS512', { logN: 4 })
    const clock = { now: START }
    const given = {
      sessionKeys: createSessionKeys(ring),
      attempts: createMemoryStore().attempts,
      randomness: systemRandomness,
      clock: () => clock.now,
    }
    const [challenges, previous] = ring.all.map(({ kid: currentKid }) =>
      createPasskeyChallenges({ ...given, tokens: { currentKid } }),
    )
    if (!challenges || !previous) throw new Error('there are two passphrases')
    return { clock, challenges, previous }
  }

  it('can be used only once, even by 16 concurrent callers', async () => {
    const { challenges } = await start()
    const challenge = challenges.issue(LOGIN)
    const outcomes = await Promise.all(Array.from({ length: 16 }, () => challenges.consume(LOGIN, challenge)))
    expect(outcomes.filter(Boolean)).to.have.length(1)
  })

  it('are valid for one ceremony, and for one session or browser', async () => {
    const { challenges } = await start()
    const challenge = challenges.issue(LOGIN)
    for (const other of [
      { ...LOGIN, ceremony: 'confirmation' } as const,
      { ...LOGIN, ceremony: 'registration' } as const,
      { ...LOGIN, binding: 'another browser' },
      { ...LOGIN, binding: '' },
    ])
      expect(await challenges.consume(other, challenge)).to.equal(false)
    expect(await challenges.consume(LOGIN, challenge)).to.equal(true)
  })

  it('are valid for five minutes', async () => {
    const { challenges, clock } = await start()
    const [early, late] = [challenges.issue(LOGIN), challenges.issue(LOGIN)]
    clock.now += CHALLENGE_LIFETIME - 1
    expect(await challenges.consume(LOGIN, early)).to.equal(true)
    clock.now += 1
    expect(await challenges.consume(LOGIN, late)).to.equal(false)
  })

  it('can be used only once, even if the clock of the process that issued them is ahead', async () => {
    const { challenges, clock } = await start()
    clock.now = START + CHALLENGE_LIFETIME - 1
    const challenge = challenges.issue(LOGIN)
    clock.now = START
    expect(await challenges.consume(LOGIN, challenge)).to.equal(true)
    clock.now = START + 2 * (CHALLENGE_LIFETIME - 1)
    expect(await challenges.consume(LOGIN, challenge)).to.equal(false)
  })

  it('are accepted only if they were issued with the current or a previous key of the service', async () => {
    const { challenges, previous } = await start()
    expect(await challenges.consume(LOGIN, previous.issue(LOGIN))).to.equal(true)
    const fields = Buffer.from(challenges.issue(LOGIN), 'base64url').toString().split(' ')
    for (const [index, field] of [
      ...[[0, 'unknown'] as const, [1, String(START + 1)] as const, [1, `${START}.0`] as const],
      ...[[2, 'another'] as const, [3, 'forged'] as const],
    ]) {
      const forged = fields.with(index, field).join(' ')
      expect(await challenges.consume(LOGIN, Buffer.from(forged).toString('base64url'))).to.equal(false)
    }
    for (const text of ['', 'AAAA', `${challenges.issue(LOGIN)}A`])
      expect(await challenges.consume(LOGIN, text)).to.equal(false)
  })
})
