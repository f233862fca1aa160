import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { Role, RoleKey } from '../../../src/domain/access/role.js'
import type { Email } from '../../../src/domain/identity/email.js'
import type { TokenUse } from '../../../src/ports/tokens.js'
import { createRoleRoom } from '../../../src/application/access/role-room.js'
import { composeUseCases, PASSWORD } from '../../support/use-cases.js'

const UUID = '01234567-89ab-cdef-0123-456789abcdef'
const tokenIssuer = 'https://kennel.example'

/** Returns roles with this label, each with a key of 100 letters. */
function rolesWith(label: string, count = 100): Role[] {
  return Array.from({ length: count }, (_, index) => ({
    uuid: UUID,
    key: `role-${index}-`.padEnd(100, 'x') as RoleKey,
    label,
  }))
}

const SMALL_ROLES = Array.from({ length: 30 }, (_, index) => ({
  uuid: UUID,
  key: `${index}` as RoleKey,
  label: 'x',
}))

const keysOf = (roles: readonly Role[]) => roles.map(({ key }) => key)

const KINDS: readonly (readonly [use: TokenUse, kind: string, label: string])[] = [
  ['HS512', 'long keys', 'x'],
  ['EdDSA', 'labels of four bytes for each character', '🐕'.repeat(200)],
  ['v4.public', 'labels that JSON escapes', '"'.repeat(200)],
  ['HS512', 'labels of two bytes for each character', 'é'.repeat(200)],
]

describe('the maximum size of the roles in a token', () => {
  const roomFor = (roles: readonly Role[], reads: unknown[] = []) => {
    const list = async () => (reads.push('list'), roles)
    return createRoleRoom({ roles: { list }, tokenIssuer })
  }

  for (const [use, kind, label] of KINDS)
    it(`allows ${use} tokens of almost 8,192 characters, but never longer tokens: ${kind}`, async () => {
      const { useCases, store } = await composeUseCases({ mode: 'stateless', tokenUse: use })
      const email = `${'ö'.repeat(50)}@example.com` as Email
      await useCases.createUser({ caller: OPERATOR, email, password: PASSWORD })
      // The small roles fill the space that the other roles leave.
      let held: readonly Role[] = []
      for (const role of [...rolesWith(label, 60), ...SMALL_ROLES])
        if (await roomFor([...held, role])?.(email, keysOf([...held, role]))) held = [...held, role]
      for (const role of held) {
        await store.roles.insert(role)
        await store.roles.assign(email, role.key)
      }
      const { refreshToken } = await useCases.login({ email, password: PASSWORD, presented: {} })
      expect(refreshToken.length).to.be.within(8192 - 300, 8192)
    })

  it('is computed with a single read of the roles, unless a role was created since', async () => {
    const roles = rolesWith('label', 2)
    const reads: unknown[] = []
    const room = roomFor(roles, reads)
    const ask = async (...keys: readonly string[]) =>
      await room?.('ada@example.com' as Email, keys as readonly RoleKey[])
    const [first = '', second = ''] = roles.map(({ key }) => key)
    expect([await ask(), await ask(first), await ask(second, first)]).to.deep.equal([true, true, true])
    expect(reads).to.have.lengthOf(1)
    expect(await ask(first, 'not-there')).to.equal(true)
    expect(reads).to.have.lengthOf(2)
  })

  it('is not computed if tokens contain no roles or if there is no role table', () => {
    const list = () => expect.fail()
    expect(createRoleRoom({ roles: { list }, tokenIssuer: undefined })).to.equal(undefined)
    expect(createRoleRoom({ tokenIssuer })).to.equal(undefined)
  })
})
