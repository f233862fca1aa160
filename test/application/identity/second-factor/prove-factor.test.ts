import { expect } from 'chai'
import { createProveFactor } from '../../../../src/application/identity/second-factor/prove-factor.js'
import { createCodeThrottle } from '../../../../src/application/identity/throttle.js'
import { systemDigest } from '../../../../src/adapters/system/index.js'
import type { AuditEntry, AuditTrail } from '../../../../src/application/audit/audit-trail.js'
import type { Email } from '../../../../src/domain/identity/email.js'
import { factorHolder, STEP, type FactorHolder } from '../../../support/factor.js'
import { refusalOf } from '../../../support/refusal-of.js'
import { composeUseCases, type Composed } from '../../../support/use-cases.js'

describe('a code of a second factor', () => {
  let kennel: Composed
  let holder: FactorHolder
  let entries: AuditEntry[]
  beforeEach(async () => {
    kennel = await composeUseCases()
    holder = await factorHolder(kennel, 'ada@example.com')
    entries = []
    kennel.clock.now += 10 * STEP
  })

  const prove = async (code: string) => {
    const { store, credentials, clock } = kennel
    const parts = { attempts: store.attempts, digest: systemDigest, clock: () => clock.now }
    const proveFactor = createProveFactor({
      ...parts,
      secondFactors: store.secondFactors,
      oneTimeCodes: credentials.oneTimeCodes,
      secretSeal: credentials.secretSeal,
      codeThrottle: createCodeThrottle(parts),
      audit: { record: async (entry) => void entries.push(entry) } as AuditTrail,
    })
    return await proveFactor({ id: holder.id, email: holder.email as Email }, code, { address: '192.0.2.1' })
  }

  it('is good once, and costs no attempt where it is good', async () => {
    for (let time = 0; time < 8; time += 1) {
      kennel.clock.now += STEP
      expect(await prove(holder.code())).to.equal(true)
    }
    expect(await prove(holder.code())).to.equal(false)
    expect(entries).to.deep.equal([])
  })

  it('may be a recovery code, whose use is audited as the owner’s', async () => {
    expect(await prove(holder.recoveryCodes[0] ?? '')).to.equal(true)
    expect(await prove(holder.recoveryCodes[0] ?? '')).to.equal(false)
    expect(entries.map(({ event, subject, client }) => [event, subject, client?.address])).to.deep.equal([
      ['factor.recovery', holder.id, '192.0.2.1'],
    ])
  })

  it('is refused after five wrong ones, of whatever form', async () => {
    for (const wrong of ['', 'x', '12345', holder.code(5), 'AAAA-AAAA-AAAA-AAAA'])
      expect(await prove(wrong)).to.equal(false)
    expect((await refusalOf(prove(holder.code()))).code).to.equal('too-many-attempts')
    kennel.clock.now += 15 * 60_000
    expect(await prove(holder.code())).to.equal(true)
  })

  it('is none of a factor that was not confirmed, or was removed', async () => {
    await kennel.store.secondFactors.remove(holder.id)
    expect(await prove(holder.code())).to.equal(false)
  })
})
