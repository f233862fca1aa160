import { expect } from 'chai'
import { createAccounts } from '../../../src/adapters/mongodb/accounts.js'
import type { Database } from '../../../src/adapters/mongodb/database.js'
import { createProofs } from '../../../src/adapters/mongodb/proofs.js'
import { aNewAccount, aProof, emailOf, NOW, proofDigestOf, SECOND } from '../../../src/contracts/samples.js'
import type { AccountId, Epoch } from '../../../src/domain/identity/account.js'
import type { Proofs } from '../../../src/ports/proofs.js'
import { beforeCall, connectionOfTests } from '../../support/mongodb/opened.js'
import { describeWith } from '../../support/required-tools.js'

const ANN = { accountId: 1 as AccountId }
const useOf = (label: string, at = NOW) => ({ digest: proofDigestOf(label), at })
const CREATION = { ...useOf('bob'), account: { createdAt: NOW } }

describeWith('mongodb', 'an email proof in MongoDB', () => {
  const connected = connectionOfTests()
  let database: Database
  let proofs: Proofs

  beforeEach(async () => {
    database = connected().database
    proofs = createProofs(database)
    await createAccounts(database).insert(aNewAccount('ann'))
    for (const label of ['1 first', '2 second']) await proofs.issue(aProof('undo-email', label, ANN))
    await proofs.issue(aProof('sign-up', 'bob'))
  })

  const beforeChange = (work: () => Promise<unknown>) =>
    beforeCall('accounts.findOneAndUpdate', database, work)

  it('can be used again 20 seconds after a process was killed while using it', async () => {
    await database.proofs.updateOne({ email: emailOf('bob') }, { $set: { claimedAt: NOW } })
    expect(await proofs.createAccount(CREATION)).to.deep.equal({ kind: 'spent' })
    expect(await proofs.find(useOf('bob'))).to.equal(undefined)
    const later = { ...CREATION, at: NOW + 20 * SECOND }
    expect(await proofs.find(later)).to.deep.equal(aProof('sign-up', 'bob'))
    expect(await proofs.createAccount(later)).to.deep.equal({ kind: 'created', id: 2 })
  })

  it('cannot be used if another proof undoes an earlier change at the same time', async () => {
    beforeChange(async () => await proofs.undoEmail(useOf('1 first')))
    expect(await proofs.undoEmail(useOf('2 second'))).to.equal('spent')
    expect((await database.accounts.findOne({ _id: ANN.accountId }))?.email).to.equal(emailOf('1 first'))
    expect(await proofs.listOf(ANN.accountId)).to.deep.equal([])
  })

  it('undoes a change even if the email changes again at the same time', async () => {
    beforeChange(async () => {
      await createAccounts(database).changeEmail({ id: ANN.accountId, email: emailOf('2 second') })
    })
    expect(await proofs.undoEmail(useOf('1 first'))).to.equal('changed')
    expect(await database.accounts.findOne({ _id: ANN.accountId })).to.include({
      email: emailOf('1 first'),
      epoch: 3,
    })
  })

  it('changes no email and leaves no undo proof if an earlier change is undone at the same time', async () => {
    await proofs.issue(aProof('change-email', '3 third', { ...ANN, epoch: 1 as Epoch }))
    beforeChange(async () => await proofs.undoEmail(useOf('1 first')))
    const undo = aProof('undo-email', '4 undo', ANN)
    expect(await proofs.changeEmail(useOf('3 third'), undo)).to.equal('spent')
    expect((await database.accounts.findOne({ _id: ANN.accountId }))?.email).to.equal(emailOf('1 first'))
    expect(await proofs.listOf(ANN.accountId)).to.deep.equal([])
  })
})
