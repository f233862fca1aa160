import { expect } from 'chai'
import { OPERATOR as caller } from '../../../src/domain/access/caller.js'
import { composeProofs, outcomeOf, type ComposedProofs } from '../../support/mail/composed-proofs.js'
import { fragmentOf, linkIn } from '../../support/mail/postbox.js'
import { confirmed, crowded, issued, NEW, NOT_VALID } from '../../support/mail/proof-flows.js'
import { KEPT, storesOfTests } from '../../support/stores.js'
import { composeUseCases, PASSWORD } from '../../support/use-cases.js'
import { recordingStore } from '../../support/watched-store.js'

const WEEK = 604_800_000
const EDITOR = { caller, key: 'editor', label: 'Editor' }
const UNKNOWN = 'not-found id There is no invitation with this id.'
const invite = ({ useCases }: ComposedProofs, form: object = {}) =>
  useCases.inviteUser({ caller, email: NEW, ...form })
const list = ({ useCases }: ComposedProofs) => useCases.listInvitations({ caller })
const accept = (kennel: ComposedProofs, token = '') => confirmed(kennel, 'invitation', { token })

describe('an invitation', () => {
  it('creates an account with its roles, regardless of the sign-up settings, and is listed until it is accepted', async () => {
    for (const mode of ['on', 'approval', 'invited'] as const) {
      const kennel = await composeProofs({ signUp: { mode, domains: ['kennel.example'] } })
      await kennel.useCases.createRole(EDITOR)
      await kennel.audited()
      const invitation = await invite(kennel, { email: 'Lovelace@example.com', roles: ['editor'] })
      const { now } = kennel.clock
      expect(invitation).to.include({ email: 'Lovelace@example.com', createdAt: now, expiresAt: now + WEEK })
      expect(await list(kennel)).to.deep.equal([invitation])
      const { token } = await kennel.mailed()
      const login = await kennel.useCases.confirmSignUp({ token, password: PASSWORD, presented: {} })
      expect(login?.identity.roles.map(({ key }) => key)).to.deep.equal(['editor'])
      expect(await list(kennel)).to.deep.equal([])
      expect(await kennel.audited()).to.deep.equal([
        `invitation.create cli:tester invitation:${invitation.id} success`,
        'sign-up anonymous account:1 success',
      ])
    }
  })

  it('is neither listed nor audited if it is refused, and the error has the documented code', async () => {
    const kennel = await composeProofs({ store: crowded() })
    await kennel.account('Ada@example.com', ['editor'])
    await kennel.audited()
    for (const [form, outcome] of [
      [{ email: 'lovelace' }, 'invalid email email-not-valid'],
      [{ roles: ['no key'] }, 'invalid role'],
      [{ roles: ['editor', 'nothing'] }, 'not-found role'],
      [{ email: 'ADA@example.com.' }, 'conflict email An account with this email already exists.'],
      [{ roles: ['editor'] }, 'overloaded'],
    ] as const)
      expect(await outcomeOf(invite(kennel, form)), outcome).to.include(outcome)
    const { useCases } = await composeUseCases({ store: kennel.store })
    const refused = await outcomeOf(invite({ ...kennel, useCases }))
    expect(refused).to.include('conflict  Invitations are not set up')
    expect(await list(kennel)).to.deep.equal([])
    expect(await kennel.audited()).to.deep.equal([])
  })

  it('remains valid if one of its roles was deleted, and can be accepted once the role exists again', async () => {
    const kennel = await composeProofs()
    await kennel.useCases.createRole(EDITOR)
    await invite(kennel, { roles: ['editor'] })
    const { token } = await kennel.mailed()
    await kennel.useCases.deleteRole({ caller, key: 'editor' })
    expect(await accept(kennel, token)).to.include('not-found role')
    await kennel.useCases.createRole(EDITOR)
    expect(await accept(kennel, token)).to.equal('done')
  })

  it('stops working once it is revoked; a revoked or accepted invitation can be neither revoked nor sent again', async () => {
    const kennel = await composeProofs()
    const revoked = await invite(kennel)
    const { token } = await kennel.mailed()
    await kennel.audited()
    await kennel.useCases.revokeInvitation({ caller, id: revoked.id })
    const record = `invitation.revoke cli:tester invitation:${revoked.id} success`
    expect(await kennel.audited()).to.deep.equal([record])
    expect(await accept(kennel, token)).to.equal(NOT_VALID)
    await issued(kennel, 'sign-up', 'other@example.com')
    const [signUp] = await kennel.store.proofs.page('sign-up', undefined, 1)
    const accepted = await invite(kennel)
    expect(await accept(kennel, (await kennel.mailed()).token)).to.equal('done')
    for (const id of [revoked.id, accepted.id, signUp?.id ?? '', ''])
      for (const operation of ['revokeInvitation', 'sendInvitation'] as const)
        expect(await outcomeOf(kennel.useCases[operation]({ caller, id }))).to.equal(UNKNOWN)
    expect(await kennel.store.proofs.page('sign-up', undefined, 9)).to.have.lengthOf(1)
  })

  it('is not searched by an ID with a control character, which PostgreSQL rejects', async () => {
    const { store, calls } = recordingStore()
    const kennel = await composeProofs({ store })
    for (const operation of ['revokeInvitation', 'sendInvitation'] as const)
      expect(await outcomeOf(kennel.useCases[operation]({ caller, id: '\u0000' }))).to.equal(UNKNOWN)
    expect(calls).to.not.include('proofs.get')
  })

  it('is never both accepted and revoked, even by 16 concurrent calls of each kind', async () => {
    for (const passes of [0, 10, 100]) {
      const kennel = await composeProofs({ hashConcurrency: 16 })
      const { id } = await invite(kennel)
      const { token } = await kennel.mailed()
      const accepting = Array.from({ length: 16 }, () => accept(kennel, token))
      // Depending on `passes`, the accepting calls are still hashing or have reached the store.
      for (let pass = 0; pass < passes; pass += 1) await new Promise(setImmediate)
      const revoke = () => outcomeOf(kennel.useCases.revokeInvitation({ caller, id }))
      const outcomes = await Promise.all([...accepting, ...Array.from({ length: 16 }, revoke)])
      expect(outcomes.filter((outcome) => outcome === 'done')).to.have.lengthOf(1)
      const accounts = await kennel.store.accounts.page(undefined, 9)
      expect(accounts).to.have.lengthOf(outcomes.indexOf('done') < 16 ? 1 : 0)
    }
  })
})

describe(`an invitation in the ${KEPT.name} store`, () => {
  const opened = storesOfTests()

  it('has only one valid link after it is sent again, even if the first email was still waiting', async () => {
    const kennel = await composeProofs({ store: (await opened(KEPT.open)).store })
    const { id } = await invite(kennel)
    const send = () => kennel.useCases.sendInvitation({ caller, id })
    await Promise.all([send(), send()])
    await kennel.mailed()
    kennel.clock.now += WEEK
    await send()
    const { token } = await kennel.mailed()
    const tokens = kennel.postbox.arrived.map((mail) => fragmentOf(linkIn(mail))['token'])
    expect(tokens).to.have.lengthOf(4)
    for (const earlier of tokens.slice(0, -1)) expect(await accept(kennel, earlier)).to.equal(NOT_VALID)
    expect(await accept(kennel, token)).to.equal('done')
  })
})
