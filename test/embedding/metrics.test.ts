import { expect } from 'chai'
import { createMemoryStore } from '../../src/adapters/memory/index.js'
import { createPrometheusMetrics } from '../../src/adapters/prometheus/index.js'
import type { KennelOptions } from '../../src/index.js'
import type { PasswordHash } from '../../src/domain/identity/password.js'
import { countsOf, valueOf } from '../support/metric-samples.js'
import { presentedBy } from '../support/use-cases.js'
import { openWithLogin } from './opening.js'
import { PASSWORD } from './valid-inputs.js'

async function livedThrough(changes: Partial<KennelOptions> = {}): Promise<string> {
  const { metrics, exposition } = createPrometheusMetrics()
  const { kennel, issued } = await openWithLogin({ ...changes, parts: { ...changes.parts, metrics } })
  const { refreshToken } = issued
  await kennel.logout(presentedBy(await kennel.refresh({ refreshToken, presented: presentedBy(issued) })))
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
    // Creating the account and logging in compute one hash each.
    expect(valueOf(text, 'kennel_password_hash_duration_seconds_count')).to.equal(2)
    const calls = countsOf(text, 'kennel_store_call_duration_seconds_count')
    expect(calls).to.include.keys('accounts ok', 'sessions ok', 'audit ok')
  })

  it('counts renewals and calls to the revocation store in stateless mode', async () => {
    const text = await livedThrough({ stateless: true, statelessRevocation: 'store' })
    expect(countsOf(text, 'kennel_refreshes_total')).to.deep.equal({ renewed: 1 })
    expect(countsOf(text, 'kennel_sessions_opened_total')).to.deep.equal({})
    expect(countsOf(text, 'kennel_store_call_duration_seconds_count')).to.include.keys('revocations ok')
  })

  it('counts calls to a custom store, but not the hashes of a custom hasher', async () => {
    const hasher = {
      hash: async () => 'hash' as PasswordHash,
      verify: async (given: unknown, hash: unknown) => given === PASSWORD && hash === 'hash',
      isOutdated: () => false,
      recognise: () => ({ kind: 'unknown' }) as const,
    }
    const text = await livedThrough({ store: createMemoryStore(), parts: { hasher } })
    expect(countsOf(text, 'kennel_store_call_duration_seconds_count')).to.include.keys('sessions ok')
    expect(valueOf(text, 'kennel_password_hash_duration_seconds_count')).to.equal(0)
  })
})
