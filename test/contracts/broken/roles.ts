import type { Role, RoleKey } from '../../../src/domain/access/role.js'
import { type Breakage, breakageOf, COPIES, everybodyElse } from './breakage.js'

const roles = breakageOf('roles')

export const brokenRoles: readonly Breakage[] = [
  roles('roles are listed as they were made', ['roles are listed by key'], (inner) => ({
    list: async () => (await inner.list()).toReversed(),
  })),
  roles(
    'an insert of a known key says that it was made',
    ['a second insert of a key is refused and changes nothing'],
    (inner) => ({
      async insert(role) {
        await inner.insert(role)
        return 'inserted'
      },
    }),
  ),
  roles(
    'a key is looked up, then inserted',
    ['of 16 inserts of one key at once exactly one is inserted'],
    (inner) => ({
      async insert(role) {
        const known = (await inner.list()).some(({ key }) => key === role.key)
        await everybodyElse()
        if (!known) await inner.insert(role)
        return known ? 'duplicate-key' : 'inserted'
      },
    }),
  ),
  roles(
    'assigning twice is not told apart',
    ['assign gives the role once, to that account only'],
    (inner) => ({
      async assign(email, key) {
        const answer = await inner.assign(email, key)
        return answer === 'already-assigned' ? 'assigned' : answer
      },
    }),
  ),
  roles(
    'an unknown role is made on the way',
    ['assign and unassign say which of the two is missing', 'keys of different case are different roles'],
    (inner) => ({
      async assign(email, key) {
        await inner.insert({ uuid: key, key, label: key })
        return await inner.assign(email, key)
      },
    }),
  ),
  roles(
    'a membership is looked up, then made',
    ['of 16 assignments of one role at once exactly one assigns'],
    (inner, { accounts }) => ({
      async assign(email, key) {
        const held = (await accounts.findByEmail(email))?.roles.some((role) => role.key === key)
        await everybodyElse()
        const answer = await inner.assign(email, key)
        return answer === 'already-assigned' && held !== true ? 'assigned' : answer
      },
    }),
  ),
  roles(
    'all roles are read, then written',
    ['of 16 different roles assigned at once none is lost'],
    (inner, { accounts }) => ({
      async assign(email, key) {
        const before = (await accounts.findByEmail(email))?.roles ?? []
        await everybodyElse()
        const answer = await inner.assign(email, key)
        const now = (await accounts.findByEmail(email))?.roles ?? []
        const others = now.filter((role) => role.key !== key && !holds(before, role.key))
        for (const role of others) await inner.unassign(email, role.key)
        return answer
      },
    }),
  ),
  roles(
    'unassign takes all roles',
    ['unassign takes the role away, and only that one'],
    (inner, { accounts }) => ({
      async unassign(email, key) {
        const answer = await inner.unassign(email, key)
        const left = (await accounts.findByEmail(email))?.roles ?? []
        for (const role of left) await inner.unassign(email, role.key)
        return answer
      },
    }),
  ),
  roles('labels are normalised', ['labels are kept exactly'], (inner) => ({
    insert: (role) => inner.insert({ ...role, label: role.label.normalize('NFD') }),
  })),
  roles('a role is kept as it was passed in', [COPIES], (inner) => {
    const kept: Role[] = []
    return {
      async insert(role) {
        kept.push(role)
        return await inner.insert(role)
      },
      list: async () => kept.map((role) => ({ ...role })),
    }
  }),
]

function holds(all: readonly Role[], key: RoleKey): boolean {
  return all.some((role) => role.key === key)
}
