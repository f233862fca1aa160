import type { AccountId } from '../../../../src/domain/identity/account.js'
import type {
  Budget,
  Project,
  ProjectDraft,
  ProjectId,
  ProjectText,
} from '../../../../src/domain/project/project.js'
import { breakageOf, everybodyElse, type Breakage, StoreError } from '../breakage.js'

const projects = breakageOf('projects')

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
        if (!(await accounts.find(createdBy))) throw new StoreError('foreign key')
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
