import { expect } from 'chai'
import { createMemoryStore } from '../../../../src/adapters/memory/store.js'
import { createProofSecrets } from '../../../../src/adapters/keyring/index.js'
import { systemRandomness } from '../../../../src/adapters/system/index.js'
import { createPasskeyChallenges } from '../../../../src/application/identity/passkeys/challenges.js'
import { CHALLENGE_LIFETIME } from '../../../../src/domain/identity/passkey.js'
import { createTimeOrderedIds } from '../../../../src/domain/time-ordered-ids.js'
import { START } from '../../../support/use-cases.js'

const LOGIN = { ceremony: 'login', binding: 'a browser' } as const

describe('the challenges of passkeys', () => {
  function start() {
    const store = createMemoryStore()
    const clock = { now: START }
    const challenges = createPasskeyChallenges({
      proofs: store.proofs,
      proofSecrets: createProofSecrets(),
      timeOrderedIds: createTimeOrderedIds({ randomness: systemRandomness }),
      randomness: systemRandomness,
      clock: () => clock.now,
    })
    return { store, clock, challenges }
  }

  it('can be used only once, even by 16 concurrent callers', async () => {
    const { challenges } = start()
    const challenge = await challenges.issue(LOGIN)
    const outcomes = await Promise.all(Array.from({ length: 16 }, () => challenges.consume(LOGIN, challenge)))
    expect(outcomes.filter(Boolean)).to.have.length(1)
  })

  it('are valid for one ceremony, and for one session or browser', async () => {
    const { challenges } = start()
    const challenge = await challenges.issue(LOGIN)
    for (const other of [
      { ...LOGIN, ceremony: 'confirmation' } as const,
      { ...LOGIN, ceremony: 'registration' } as const,
      { ...LOGIN, binding: 'another browser' },
      { ...LOGIN, binding: '' },
    ])
      expect(await challenges.consume(other, challenge)).to.equal(false)
    expect(await challenges.consume(LOGIN, challenge.toUpperCase())).to.equal(false)
    expect(await challenges.consume(LOGIN, challenge)).to.equal(true)
  })

  it('are valid for five minutes', async () => {
    const { challenges, clock } = start()
    const [early, late] = [await challenges.issue(LOGIN), await challenges.issue(LOGIN)]
    clock.now += CHALLENGE_LIFETIME - 1
    expect(await challenges.consume(LOGIN, early)).to.equal(true)
    clock.now += 1
    expect(await challenges.consume(LOGIN, late)).to.equal(false)
  })

  it('are not stored in the clear', async () => {
    const { challenges, store } = start()
    const challenge = await challenges.issue(LOGIN)
    expect(Buffer.from(challenge, 'base64url')).to.have.length(32)
    const [proof] = await store.proofs.page('passkey', undefined, 10)
    expect(proof?.digest).to.equal(createProofSecrets().digest(`login a browser ${challenge}`))
    expect(JSON.stringify(proof)).to.not.include(challenge)
  })
})
