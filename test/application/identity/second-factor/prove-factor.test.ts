import type {
  FactorSecret,
  RecoveryCode,
  SecondFactor,
} from '../../../../src/domain/identity/second-factor.js'
import type { CodeProof, OpenedSecret } from '../../../../src/ports/second-factors.js'
import { collectingLog } from '../../../support/log-collector.js'
import { ADA } from '../../../support/logins.js'
import { ACTIVE, CLIENT, CODE, fakedParts, PENDING, RECOVERY, type FakedParts } from '../faked-parts.js'
import { expect } from 'chai'
import {
  createProveFactor,
  factorRequired,
  freshRecoveryCodes,
  proveCode,
  type ProveFactorParts,
} from '../../../../src/application/identity/second-factor/prove-factor.js'
import { createCodeThrottle, digestOf } from '../../../../src/application/identity/throttle.js'
import { systemDigest } from '../../../../src/adapters/system/index.js'
import type { AuditEntry, AuditTrail } from '../../../../src/application/audit/audit-trail.js'
import type { Email } from '../../../../src/domain/identity/email.js'
import { factorHolder, STEP, type FactorHolder } from '../../../support/factor.js'
import { codeOf, wordsOf } from '../../../support/refusal-of.js'
import { composeUseCases, type Composed } from '../../../support/use-cases.js'

describe('a second-factor code', () => {
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
    const owner = { id: holder.id, email: holder.email as Email }
    return (await proveFactor(owner, code, { address: '192.0.2.1' })) !== undefined
  }

  it('is accepted once, and does not count as an attempt if it is correct', async () => {
    for (let time = 0; time < 8; time += 1) {
      kennel.clock.now += STEP
      expect(await prove(holder.code())).to.equal(true)
    }
    expect(await prove(holder.code())).to.equal(false)
    expect(entries).to.deep.equal([])
  })

  it('is rejected after five wrong codes in any format', async () => {
    for (const wrong of ['', 'x', '12345', holder.code(5), 'AAAA-AAAA-AAAA-AAAA'])
      expect(await prove(wrong)).to.equal(false)
    expect(await codeOf(prove(holder.code()))).to.equal('too-many-attempts')
    kennel.clock.now += 15 * 60_000
    expect(await prove(holder.code())).to.equal(true)
  })
})

describe('a second-factor code, with faked parts', () => {
  const prove = async (
    change: (parts: FakedParts['parts']) => Partial<ProveFactorParts> = () => ({}),
    { code = CODE, factor = ACTIVE }: { code?: string; factor?: SecondFactor | null } = {},
  ) => {
    const { parts, ...kept } = fakedParts(factor ?? undefined)
    const proveFactor = createProveFactor({ ...parts, ...change(parts) })
    const since = await proveFactor({ id: ADA.id, email: ADA.email }, code, CLIENT)
    return { ...kept, right: since === factor?.activeSince && since !== undefined }
  }
  const opening = (opened: OpenedSecret | undefined) => (parts: FakedParts['parts']) => ({
    secretSeal: { ...parts.secretSeal, open: async () => opened },
  })

  it('is treated as wrong if the account has no confirmed factor', async () => {
    for (const factor of [PENDING, null])
      for (const code of [CODE, RECOVERY])
        expect((await prove(undefined, { factor, code })).right).to.equal(false)
  })

  it('is looked up by its digest if it is a recovery code', async () => {
    const proofs: CodeProof[] = []
    const owner = { id: ADA.id, email: ADA.email, client: CLIENT }
    await proveCode(fakedParts(ACTIVE).parts, owner, RECOVERY, async (proof) => proofs.push(proof) > 0)
    expect(proofs).to.deep.equal([{ kind: 'recovery', digest: digestOf(systemDigest, RECOVERY) }])
  })

  it('causes the secret to be sealed again if it was sealed with a previous key', async () => {
    const secret = 'SECRET' as FactorSecret
    const { right, resealed } = await prove(opening({ secret, isCurrent: false }))
    expect(right).to.equal(true)
    expect(resealed).to.deep.equal([[ADA.id, 'sealed', 'sealed anew SECRET']])
    expect(await prove()).to.deep.include({ right: true, resealed: [] })
  })

  it('is treated as wrong if no key can open the sealed secret, and the failure is logged', async () => {
    const { log, lines } = collectingLog()
    expect((await prove((parts) => ({ ...opening(undefined)(parts), log }))).right).to.equal(false)
    const detail =
      'no passphrase decrypts the secret of this account: set SECURITY_JWT_PASSPHRASE_PREVIOUS to the passphrase ' +
      'that was in use when the factor was set up, or remove the factor with the command "app user factor"'
    expect(lines).to.deep.equal([
      { level: 'warn', event: 'second factor', fields: { accountId: ADA.id, detail } },
    ])
    expect((await prove(opening(undefined))).right).to.equal(false)
    expect((await prove(() => ({ log }))).right).to.equal(true)
    expect(lines).to.have.lengthOf(1)
  })

  it('triggers a notice if it is a recovery code', async () => {
    const { right, entries, notices } = await prove(undefined, { code: RECOVERY })
    expect(right).to.equal(true)
    const caller = { kind: 'account', accountId: ADA.id, email: ADA.email, roles: [] }
    expect(entries).to.deep.equal([{ event: 'factor.recovery', caller, subject: ADA.id, client: CLIENT }])
    expect(notices).to.deep.equal([['factor', { email: ADA.email, client: CLIENT, about: 'recovery' }]])
    expect((await prove(() => ({ notices: undefined }), { code: RECOVERY })).right).to.equal(true)
  })

  it('is reported as `second-factor-required` if it is missing', async () => {
    expect(await wordsOf(Promise.reject(factorRequired()))).to.equal(
      'second-factor-required | code Required: second-factor-required',
    )
  })
})

describe('newly generated recovery codes', () => {
  it('are ten codes in hyphenated groups, and the store holds digests of the codes without hyphens', () => {
    const { parts } = fakedParts()
    let made = 0
    const freshRecoveryCode = () => `ABCDEFGHIJKLMNO${'PQRSTUVWXY'.charAt(made++)}` as RecoveryCode
    const oneTimeCodes = { ...parts.oneTimeCodes, freshRecoveryCode }
    const { written, digests } = freshRecoveryCodes({ oneTimeCodes, digest: systemDigest })
    expect(written).to.have.length(10)
    expect(written[9]).to.equal('ABCD-EFGH-IJKL-MNOY')
    expect(digests).to.deep.equal(written.map((code) => digestOf(systemDigest, code.replaceAll('-', ''))))
  })
})
