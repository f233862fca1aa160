import { expect } from 'chai'
import { systemDigest } from '../../../../src/adapters/system/index.js'
import { freshRecoveryCodes } from '../../../../src/application/identity/second-factor/recovery-codes.js'
import { digestOf } from '../../../../src/application/identity/throttle.js'
import type { RecoveryCode } from '../../../../src/domain/identity/second-factor.js'
import { fakedFactorParts } from './faked-factor-parts.js'

describe('fresh recovery codes', () => {
  it('are ten, shown in groups, and stored as digests of the codes without hyphens', () => {
    const { parts } = fakedFactorParts(undefined)
    let made = 0
    const freshRecoveryCode = () => `ABCDEFGHIJKLMNO${'PQRSTUVWXY'.charAt(made++)}` as RecoveryCode
    const oneTimeCodes = { ...parts.oneTimeCodes, freshRecoveryCode }
    const { written, digests } = freshRecoveryCodes({ oneTimeCodes, digest: systemDigest })
    expect(written).to.have.length(10)
    expect(written[9]).to.equal('ABCD-EFGH-IJKL-MNOY')
    expect(digests).to.deep.equal(written.map((code) => digestOf(systemDigest, code.replaceAll('-', ''))))
  })
})
