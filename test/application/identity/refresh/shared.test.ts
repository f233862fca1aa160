import { expect } from 'chai'
import type { AuditEntry } from '../../../../src/application/audit/audit-trail.js'
import { auditSharedRefresh } from '../../../../src/application/identity/refresh.js'
import type { AttemptCount } from '../../../../src/ports/attempt-limiter.js'
import { ADA, AT, SESSION_ID } from '../../../support/logins.js'

describe('a refresh that uses the same session as another refresh', () => {
  const shared = async (network: string | undefined, address: string | undefined, kind = 'taken') => {
    const entries: AuditEntry[] = []
    const names: string[] = []
    const attempts = {
      take: async (counts: readonly AttemptCount[]) => {
        names.push(...counts.map(({ name }) => name))
        return { kind }
      },
    } as never
    const audit = { record: async (entry: AuditEntry) => void entries.push(entry) } as never
    const session = { id: SESSION_ID, endsAt: AT, current: { network } } as never
    const client = address === undefined ? undefined : { address }
    await auditSharedRefresh({ attempts, audit }, { account: ADA, session }, { client, at: AT })
    return { names, events: entries.map(({ event, subject }) => [event, subject]) }
  }

  it('is audited if the refresh comes from a different network', async () => {
    expect(await shared('192.0.2.1', '192.0.2.2')).to.deep.equal({
      names: [`refresh shared ${SESSION_ID}`],
      events: [['refresh.shared', ADA.id]],
    })
  })

  it('is audited at most once a minute', async () => {
    expect((await shared('192.0.2.1', '192.0.2.2', 'refused')).events).to.deep.equal([])
  })

  it('is not audited if both networks are the same or one network is unknown', async () => {
    for (const [network, address] of [
      ['192.0.2.1', '192.0.2.1'],
      [undefined, '192.0.2.2'],
      ['192.0.2.1', undefined],
      [undefined, undefined],
    ])
      expect(await shared(network, address)).to.deep.equal({ names: [], events: [] })
  })
})
