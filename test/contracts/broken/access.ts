import { PlantedError } from '../describe-laws.js'
import { also, type Bug, bugsOf, first, given, gives, only } from './bug.js'

const roleBug = bugsOf('roles')
const keyBug = bugsOf('apiKeys')
const projectBug = bugsOf('projects')

export const bugsOfRoles: readonly Bug[] = [
  roleBug('an insert of an existing key reports success', /second insert of/, () => ({
    insert: gives(() => 'inserted'),
  })),
  roleBug('assigning twice succeeds twice', /listed twice|assign adds/, () => ({
    assign: gives((answer) => (answer === 'already-assigned' ? 'assigned' : answer)),
  })),
  roleBug('an unknown role is created implicitly', /keys that differ|unassign report/, ({ roles }) => ({
    assign: first((_, key) => roles.insert({ uuid: key, key, label: key })),
  })),
  roleBug(
    'every removal reports success',
    /^roles: .*(remove changes nothing|is not removed|removal)|^apiKeys: a (role|removal)/,
    () => ({
      remove: gives(() => 'removed'),
    }),
  ),
  roleBug('remove deletes nothing', /only the given role, and/, () => ({ remove: only('removed') })),
  roleBug('unassign removes all roles', /unassign removes|current roles/, ({ roles, accounts }) => ({
    unassign: also(async (_, email) => {
      for (const { key } of (await accounts.findByEmail(email))?.roles ?? []) await roles.unassign(email, key)
    }),
  })),
]

export const bugsOfApiKeys: readonly Bug[] = [
  keyBug('roles are left out', /digest, with/, () => ({
    find: gives((key) => key && { ...key, roles: [] }),
  })),
  keyBug('digests are compared without regard to case', /an unknown digest/, () => ({
    find: given((digest, at) => [digest.toLowerCase() as never, at]),
  })),
  keyBug('unknown roles are left out', /apiKeys: insert/, ({ roles }) => ({
    insert: given(async (key) => {
      const known = (await roles.list()).map((role) => role.key)
      return [{ ...key, roles: key.roles.filter((role) => known.includes(role)) }]
    }),
  })),
  keyBug('the expiry of a key is not stored', /found until/, () => ({
    insert: given(({ expiresAt: _, ...key }) => [key]),
  })),
  keyBug('revokeAllOf revokes nothing', /apiKeys: revokeAllOf/, () => ({ revokeAllOf: only(undefined) })),
  keyBug('recordUse stores nothing', /the last use/, () => ({ recordUse: only(undefined) })),
  keyBug('recordUse fails for an unknown key', /or revoked key/, ({ apiKeys }) => ({
    recordUse: first(async (id) => {
      if (!(await apiKeys.page(undefined, 100)).some((key) => key.id === id)) throw new PlantedError()
    }),
  })),
  keyBug('a revoked key is not listed', /a revoked API/, () => ({
    page: gives((keys) => keys.filter((key) => key.revokedAt === undefined)),
  })),
]

export const bugsOfProjects: readonly Bug[] = [
  projectBug('the owner of a project is not stored', /a project of/, () => ({
    insert: given((draft, _, createdAt) => [draft, 0 as never, createdAt]),
  })),
  projectBug('budgets are rounded', /insert returns/, () => ({
    insert: given((draft, ...rest) => [{ ...draft, budget: Math.round(draft.budget) as never }, ...rest]),
  })),
  projectBug('every page after the first omits some projects', /projects: pages/, () => ({
    page: given((createdBy, after, limit) => [createdBy, after && ((after + 2) as never), limit]),
  })),
  projectBug(
    'a project of a removed account is rejected',
    /first closed|concurrent calls that|a project is|projects remain|close changes nothing/,
    ({ accounts }) => ({
      find: gives(async (found, _, createdBy) => ((await accounts.find(createdBy)) ? found : undefined)),
    }),
  ),
]
