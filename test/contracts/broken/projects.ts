import type { AccountId } from '../../../src/domain/identity/account.js'
import type { Budget, Project, ProjectDraft, ProjectId } from '../../../src/domain/project/project.js'
import { breakageOf, everybodyElse, type Breakage, StoreError, idsInBlocks } from './breakage.js'

const broken = breakageOf('projects')
const OWNERLESS = 'a project of a removed account can still be stored'
const PASSED_IN = 'changing what was passed in changes nothing that was handed out'
const FOUND = 'a project is found as it was inserted, by the account that made it alone'
const PAGES = 'pages hold the projects of one account, ascending, with next where more follow'
const IN_ORDER =
  'of projects made at once, one that was begun after another was acknowledged has the greater id'
const BESIDE = 'walks beside inserts show every project that was acknowledged before, ascending and once'
const CLOSED = 'a closed project has the moment of its first closing, in every read'
const OTHERS = 'the project of another account is not closed, nor one that is not there'
const RACE = 'of 16 closings at once one sets the moment, and all are told it'
const OUTLIVE = 'projects outlive their account, and their ids are never given again'
const COPIES = 'changing a project that was handed out changes nothing in the store'

export const brokenProjects: readonly Breakage[] = [
  broken('the owner is not kept', ['insert gives the project as it was stored'], (inner) => ({
    insert: (draft, _, createdAt) => inner.insert(draft, 0 as AccountId, createdAt),
  })),
  broken('ids decrease', ['ids increase'], (inner) => ({
    async insert(draft, createdBy, createdAt) {
      const project = await inner.insert(draft, createdBy, createdAt)
      return { ...project, id: (1_000 - project.id) as ProjectId }
    },
  })),
  broken('the next id is counted, then used', ['16 projects made at once have 16 ids'], (inner) => {
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
  broken('a project needs its owner', [OWNERLESS], (inner, { accounts }) => ({
    async insert(draft, createdBy, createdAt) {
      if (!(await accounts.find(createdBy))) throw new StoreError('foreign key')
      return await inner.insert(draft, createdBy, createdAt)
    },
  })),
  broken('budgets are whole', ['texts and budgets are kept exactly'], (inner) => ({
    insert: (draft, createdBy, createdAt) =>
      inner.insert({ ...draft, budget: Math.round(draft.budget) as Budget }, createdBy, createdAt),
  })),
  broken('what was passed in is handed out', [PASSED_IN], (inner) => ({
    async insert(draft: ProjectDraft, createdBy, createdAt) {
      const project = await inner.insert(draft, createdBy, createdAt)
      return Object.assign<ProjectDraft, Project>(draft, project)
    },
  })),
  broken('every account finds every project', [FOUND], (inner) => ({
    find: async (id, createdBy) => {
      for (const owner of [createdBy, 1, 2]) {
        const found = await inner.find(id, owner as typeof createdBy)
        if (found) return found
      }
      return undefined
    },
  })),
  broken('each connection has a block of ids', [IN_ORDER], (inner) => {
    const inBlocks = idsInBlocks()
    return { insert: (...inputs) => inBlocks(() => inner.insert(...inputs)) }
  }),
  broken('every page but the first leaves some out', [PAGES, BESIDE], (inner) => ({
    page: (createdBy, after, limit) => inner.page(createdBy, after && ((after + 2) as ProjectId), limit),
  })),
  broken('the last closing counts', [CLOSED], (inner) => ({
    async close(id, createdBy, at) {
      const project = await inner.close(id, createdBy, at)
      return project && { ...project, closedAt: at }
    },
  })),
  broken('anybody closes every project', [OTHERS], (inner) => ({
    close: async (id, createdBy, at) =>
      (await inner.close(id, createdBy, at)) ?? (await inner.close(id, 2 as typeof createdBy, at)),
  })),
  broken('close looks, then writes', [RACE], (inner) => ({
    async close(id, createdBy, at) {
      const project = await inner.find(id, createdBy)
      if (!project || project.closedAt !== undefined) return project
      await everybodyElse()
      await inner.close(id, createdBy, at)
      return { ...project, closedAt: at }
    },
  })),
  broken('only an account that is there has projects', [OUTLIVE], (inner, { accounts }) => ({
    find: async (id, createdBy) =>
      (await accounts.find(createdBy)) ? await inner.find(id, createdBy) : undefined,
  })),
  broken('projects are handed out as they are kept', [COPIES], (inner) => {
    const kept = new Map<ProjectId, NonNullable<Awaited<ReturnType<typeof inner.find>>>>()
    return {
      async find(id, createdBy) {
        const found = kept.get(id) ?? (await inner.find(id, createdBy))
        if (found) kept.set(id, found)
        return found
      },
      async page(createdBy, after, limit) {
        const page = await inner.page(createdBy, after, limit)
        return { ...page, projects: page.projects.map((one) => kept.get(one.id) ?? one) }
      },
    }
  }),
]
