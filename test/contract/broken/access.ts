import type { ApiKeyDigest, ApiKeyId } from '../../../src/domain/access/api-key.js'
import type { Role, RoleKey } from '../../../src/domain/access/role.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import type { Email } from '../../../src/domain/identity/email.js'
import type {
  Budget,
  Project,
  ProjectDraft,
  ProjectId,
  ProjectText,
} from '../../../src/domain/project/project.js'
import { breakageOf, everybodyElse, type Breakage, Fault } from './breakage.js'

const roles = breakageOf('roles')
const apiKeys = breakageOf('apiKeys')
const projects = breakageOf('projects')
const COPIES = 'changing what was passed in or handed out changes nothing in the store'

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
    'a role is given to everybody',
    ['assign gives the role once, to that account only'],
    (inner, { accounts }) => ({
      async assign(email, key) {
        const answer = await inner.assign(email, key)
        for (const account of await accounts.page(undefined, 100)) await inner.assign(account.email, key)
        return answer
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
  roles('unassign only says so', ['assign and unassign take effect at the next read of a session'], () => ({
    unassign: async () => 'unassigned',
  })),
  roles(
    'keys are compared without regard to case',
    ['keys of different case are different roles'],
    (inner) => {
      const small = (key: RoleKey) => key.toLowerCase() as RoleKey
      return {
        insert: (role) => inner.insert({ ...role, key: small(role.key) }),
        assign: (email: Email, key) => inner.assign(email, small(key)),
      }
    },
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

export const brokenApiKeys: readonly Breakage[] = [
  apiKeys('roles are left out', ['a key is found by its digest, with its roles'], (inner) => ({
    async find(digest) {
      const key = await inner.find(digest)
      return key && { ...key, roles: [] }
    },
  })),
  apiKeys('digests are compared without regard to case', ['a digest of no key finds nothing'], (inner) => ({
    find: (digest) => inner.find(digest.toLowerCase() as ApiKeyDigest),
  })),
  apiKeys('unknown roles are left out', ['with an unknown role no key is made'], (inner, store) => ({
    async insert(key) {
      const known = (await store.roles.list()).map((role) => role.key)
      return await inner.insert({ ...key, roles: key.roles.filter((role) => known.includes(role)) })
    },
  })),
  apiKeys(
    'the key is made before its roles are checked',
    ['with an unknown role no key is made'],
    (inner) => ({
      async insert(key) {
        const answer = await inner.insert(key)
        if (answer.kind === 'unknown-role') await inner.insert({ ...key, roles: [] })
        return answer
      },
    }),
  ),
  apiKeys('keys are listed by name', ['keys are listed by id'], (inner) => ({
    list: async () => (await inner.list()).toSorted((left, right) => (left.name < right.name ? -1 : 1)),
  })),
  apiKeys('the next id is counted, then used', ['16 keys made at once have 16 ids'], (inner) => ({
    async insert(key) {
      const count = (await inner.list()).length
      await everybodyElse()
      const answer = await inner.insert(key)
      return answer.kind === 'inserted' ? { ...answer, id: (count + 1) as ApiKeyId } : answer
    },
  })),
  apiKeys(
    'a revoked key is still found',
    ['a revoked key is found no more and stays in the list'],
    (inner) => ({
      async revoke(id) {
        return (await inner.list()).some((key) => key.id === id) ? 'revoked' : 'unknown'
      },
    }),
  ),
  apiKeys(
    'a revoked key is not listed',
    ['a revoked key is found no more and stays in the list'],
    (inner) => ({
      list: async () => (await inner.list()).filter((key) => key.revokedAt === undefined),
    }),
  ),
  apiKeys(
    'a revocation is looked up, then made',
    ['of 16 revocations of one key at once exactly one revokes'],
    (inner) => ({
      async revoke(id, at) {
        const before = (await inner.list()).find((key) => key.id === id)
        await everybodyElse()
        const answer = await inner.revoke(id, at)
        return answer === 'already-revoked' && before?.revokedAt === undefined ? 'revoked' : answer
      },
    }),
  ),
  apiKeys('names are trimmed of quotes', ['names are kept exactly'], (inner) => ({
    insert: (key) => inner.insert({ ...key, name: key.name.replaceAll("'", '') }),
  })),
  apiKeys('a key is kept as it was passed in', [COPIES], (inner) => {
    const names = new Map<ApiKeyDigest, { readonly name: string }>()
    return {
      async insert(key) {
        names.set(key.digest, key)
        return await inner.insert(key)
      },
      async find(digest) {
        const key = await inner.find(digest)
        return key && { ...key, name: names.get(digest)?.name ?? key.name }
      },
    }
  }),
]

export const brokenProjects: readonly Breakage[] = [
  projects('the owner is not kept', ['insert gives the project as it was stored'], (inner) => ({
    insert: (draft, _, createdAt) => inner.insert(draft, 0 as AccountId, createdAt),
  })),
  projects('ids decrease', ['ids increase'], (inner) => ({
    async insert(draft, createdBy, createdAt) {
      const project = await inner.insert(draft, createdBy, createdAt)
      return { ...project, id: (1_000 - project.id) as ProjectId }
    },
  })),
  projects('the next id is counted, then used', ['16 projects made at once have 16 ids'], (inner) => {
    let count = 0
    return {
      async insert(draft, createdBy, createdAt) {
        const id = (count + 1) as ProjectId
        await everybodyElse()
        count = id
        return { ...(await inner.insert(draft, createdBy, createdAt)), id }
      },
    }
  }),
  projects(
    'a project needs its owner',
    ['a project of a removed account can still be stored'],
    (inner, { accounts }) => ({
      async insert(draft, createdBy, createdAt) {
        if (!(await accounts.find(createdBy))) throw new Fault('foreign key')
        return await inner.insert(draft, createdBy, createdAt)
      },
    }),
  ),
  projects('budgets are whole', ['texts and budgets are kept exactly'], (inner) => ({
    insert: (draft, createdBy, createdAt) =>
      inner.insert({ ...draft, budget: Math.round(draft.budget) as Budget }, createdBy, createdAt),
  })),
  projects('labels are normalised', ['texts and budgets are kept exactly'], (inner) => ({
    insert: (draft, createdBy, createdAt) =>
      inner.insert({ ...draft, label: draft.label.normalize('NFC') as ProjectText }, createdBy, createdAt),
  })),
  projects(
    'what was passed in is handed out',
    ['changing what was passed in changes nothing that was handed out'],
    (inner) => ({
      async insert(draft: ProjectDraft, createdBy, createdAt) {
        const project = await inner.insert(draft, createdBy, createdAt)
        return Object.assign<ProjectDraft, Project>(draft, project)
      },
    }),
  ),
]

function holds(all: readonly Role[], key: RoleKey): boolean {
  return all.some((role) => role.key === key)
}
