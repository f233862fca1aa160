import { expect } from 'chai'
import { createMemoryStore } from '../../src/adapters/memory/index.js'
import { createPrometheusMetrics } from '../../src/adapters/prometheus/index.js'
import { OPERATOR } from '../../src/domain/access/caller.js'
import { openKennel, type KennelOptions } from '../../src/index.js'
import type { PasswordHash } from '../../src/domain/identity/password.js'
import { countsOf, valueOf } from '../support/metric-samples.js'
import { goodOptions } from './opening.js'

const email = 'rex@pets.example'
const password = 'a good long password'
const presented = {}

/** Logs in and out again, and returns the exposition. */
async function livedThrough(changes: Partial<KennelOptions> = {}): Promise<string> {
  const { metrics, exposition } = createPrometheusMetrics()
  const kennel = await openKennel(goodOptions({ ...changes, parts: { ...changes.parts, metrics } }))
  await kennel.createUser({ caller: OPERATOR, email, password })
  const issued = await kennel.login({ email, password, presented })
  const held = {
    accessToken: issued.accessToken,
    ...(issued.sessionKey && { sessionKey: issued.sessionKey }),
  }
  const { refreshToken } = issued
  const renewed = await kennel.refresh({ refreshToken, presented: held })
  await kennel.logout({
    accessToken: renewed.accessToken,
    ...(renewed.sessionKey && { sessionKey: renewed.sessionKey }),
  })
  await kennel.close()
  return (await exposition()).text
}

describe('openKennel with metrics', () => {
  it('counts logins, refreshes, sessions, hashes and store calls', async () => {
    const text = await livedThrough()
    expect(countsOf(text, 'kennel_logins_total')).to.deep.equal({ success: 1 })
    expect(countsOf(text, 'kennel_refreshes_total')).to.deep.equal({ rotated: 1 })
    expect(countsOf(text, 'kennel_sessions_opened_total')).to.deep.equal({ '': 1 })
    expect(countsOf(text, 'kennel_sessions_ended_total')).to.deep.equal({ ended: 1 })
    // One hash for the account and one for the login.
    expect(valueOf(text, 'kennel_password_hash_duration_seconds_count')).to.equal(2)
    const calls = countsOf(text, 'kennel_store_call_duration_seconds_count')
    expect(calls).to.include.keys('accounts ok', 'sessions ok', 'audit ok')
  })

  it('counts renewals, and calls of the revocation store, in stateless mode', async () => {
    const text = await livedThrough({ stateless: true, statelessRevocation: 'store' })
    expect(countsOf(text, 'kennel_refreshes_total')).to.deep.equal({ renewed: 1 })
    expect(countsOf(text, 'kennel_sessions_opened_total')).to.deep.equal({})
    expect(countsOf(text, 'kennel_store_call_duration_seconds_count')).to.include.keys('revocations ok')
  })

  it('counts calls of a custom store, but not the hashes of a custom hasher', async () => {
    const store = createMemoryStore()
    const hasher = {
      hash: async () => 'hash' as PasswordHash,
      verify: async (given: unknown, hash: unknown) => given === password && hash === 'hash',
      isOutdated: () => false,
      recognise: () => ({ kind: 'unknown' }) as const,
    }
    const text = await livedThrough({ store, parts: { hasher } })
    expect(countsOf(text, 'kennel_store_call_duration_seconds_count')).to.include.keys('sessions ok')
    expect(valueOf(text, 'kennel_password_hash_duration_seconds_count')).to.equal(0)
    await store.ready()
    await store.close()
  })
})
