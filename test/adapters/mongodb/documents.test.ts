import { expect } from 'chai'
import type { AccountId, Epoch } from '../../../src/domain/identity/account.js'
import type { Email } from '../../../src/domain/identity/email.js'
import type { PasswordHash } from '../../../src/domain/identity/password.js'
import type { ResetDigest } from '../../../src/domain/identity/reset-token.js'
import { databaseOfTests } from '../../support/mongodb/opened.js'
import { describeWith } from '../../support/required-tools.js'
import { NOON, RESET_TOKEN } from '../../support/several-processes/samples.js'

const ANN = 'ann@example.org' as Email
const OLD = 'previous digest' as ResetDigest

describeWith('mongodb', 'an account in MongoDB with a reset token of the first release', () => {
  const opened = databaseOfTests()
  const accounts = () => opened().store.accounts
  beforeEach(async () => {
    const reset = { digest: OLD, until: NOON + 1, epoch: 3 }
    const account = { _id: 1, email: ANN, epoch: 3, createdAt: 1, roles: [], reset }
    await opened().collection<typeof account>('accounts').insertOne(account)
  })

  const holds = async (digest: ResetDigest, at = NOON) => await accounts().holdsResetToken(ANN, digest, at)
  const consume = async (digest: ResetDigest) =>
    await accounts().consumeResetToken({ email: ANN, digest, at: NOON, hash: 'hash' as PasswordHash })
  const issue = async (mail: string) => {
    const digest = `digest of ${mail}` as ResetDigest
    const made = { ...RESET_TOKEN, digest, mailJobId: mail as typeof RESET_TOKEN.mailJobId }
    expect(await accounts().issueResetToken(1 as AccountId, 3 as Epoch, made)).to.equal('issued')
    return digest
  }

  it('accepts the token once, before the token expires', async () => {
    expect([await holds(OLD, NOON + 1), await holds(OLD)]).to.deep.equal([false, true])
    expect(await consume(OLD)).to.equal(1)
    expect([await holds(OLD), await consume(OLD)]).to.deep.equal([false, undefined])
  })

  it('stores the token as the oldest of up to three tokens', async () => {
    const newer = [await issue('a'), await issue('b')]
    for (const digest of [OLD, ...newer]) expect(await holds(digest)).to.equal(true)
    const third = await issue('c')
    expect(await holds(OLD)).to.equal(false)
    for (const digest of [...newer, third]) expect(await holds(digest)).to.equal(true)
    expect(await consume(third)).to.equal(1)
    for (const digest of [OLD, ...newer, third]) expect(await holds(digest)).to.equal(false)
  })

  it('has only new tokens after the old token has been removed', async () => {
    await opened()
      .db.collection('accounts')
      .updateOne({}, { $unset: { reset: true } })
    await issue('a')
    expect(await accounts().resetTokenEnds(1 as AccountId)).to.deep.equal([RESET_TOKEN.until])
  })

  it('is copied together with the token, although reads of the account do not return the token', async () => {
    const { copyableRecords: records } = opened().store
    const [record] = (await records?.page('account', undefined, 1)) ?? []
    expect(record?.resets).to.deep.equal([{ digest: OLD, until: NOON + 1, epoch: 3, mailJobId: '' }])
    expect(record).to.not.have.property('reset')
    expect(await records?.put('account', record ? [record] : [])).to.equal('put')
    expect(await holds(OLD)).to.equal(true)
    const shown = { id: 1, email: ANN, epoch: 3, createdAt: 1, roles: [] }
    expect(await accounts().findByEmail(ANN)).to.deep.equal(shown)
  })
})
