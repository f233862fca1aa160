import { expect } from 'chai'
import { openMongo } from '../../../src/adapters/mongodb/store.js'
import { useOf } from '../../../src/contracts/arrangements.js'
import { aProof, hashOf, NOW } from '../../../src/contracts/samples.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import type { Proof, ProofDigest, ProofId } from '../../../src/domain/identity/proof.js'
import { databaseOfTests } from '../../support/mongodb/opened.js'
import { describeWith } from '../../support/required-tools.js'

const ANN = 1 as AccountId

describeWith('mongodb', 'a reset token that release 0.8.0 has stored in MongoDB', () => {
  const opened = databaseOfTests()
  const proofs = () => opened().store.proofs
  const accounts = () => opened().collection<{ _id: number; email: string; epoch: number }>('accounts')
  const tokenOf = (mail: string, late = 1, epoch = 3) => ({
    ...{ digest: `digest of ${mail}` as ProofDigest, until: NOW + late },
    ...{ mailJobId: mail as ProofId, epoch },
  })
  const store = async (...resets: readonly object[]) => {
    await accounts().deleteMany({})
    const account = { _id: ANN, email: 'ann@example.org', epoch: 3, createdAt: 1, roles: [], resets }
    await accounts().insertOne(account)
  }
  const use = (mail: string, at = NOW) => ({ digest: tokenOf(mail).digest, at })
  const found = async (mail: string, at = NOW) => (await proofs().find(use(mail, at)))?.id

  it('is found until it expires, and resets the password once', async () => {
    await store(tokenOf('a'), tokenOf('b'))
    expect(await found('a', NOW + 1)).to.equal(undefined)
    const expected = { purpose: 'reset-password', email: 'ann@example.org', accountId: ANN, epoch: 3 }
    expect(await proofs().find(use('a'))).to.include({ id: 'a', until: NOW + 1, ...expected })
    expect(await proofs().resetPassword(use('b'), hashOf('new'))).to.equal(ANN)
    for (const mail of ['a', 'b']) {
      expect(await found(mail)).to.equal(undefined)
      expect(await proofs().resetPassword(use(mail), hashOf('no'))).to.equal('spent')
    }
    expect(await accounts().findOne({ _id: ANN })).to.not.have.property('resets')
  })

  it('is invalid if the epoch of the account has changed since the token was issued', async () => {
    await store(tokenOf('a', 1, 2), tokenOf('b', 1, 3))
    expect([await found('a'), await found('b')]).to.deep.equal([undefined, 'b'])
    await opened().store.accounts.setPassword(ANN, hashOf('new'))
    expect(await found('b')).to.equal(undefined)
  })

  it('replaces the token from an earlier attempt to send the email, but not a later proof', async () => {
    await store(tokenOf('a', 1))
    expect(await found('a')).to.equal('a')
    await store({ ...tokenOf('again', 2), mailJobId: 'a' })
    expect([await found('again'), await found('a')]).to.deep.equal(['a', undefined])
    const later: Proof = aProof('reset-password', 'later', {
      id: 'a' as ProofId,
      accountId: ANN,
      until: NOW + 3,
    })
    await proofs().issue(later)
    expect(await found('again')).to.equal(undefined)
    expect(await proofs().find(useOf(later))).to.deep.equal(later)
  })

  it('becomes a proof when the database is opened, so that the proof can be copied', async () => {
    await store(tokenOf('a'))
    const again = await openMongo(opened().url)
    await again.close()
    expect((await proofs().listOf(ANN)).map(({ id }) => id)).to.deep.equal(['a'])
  })
})
