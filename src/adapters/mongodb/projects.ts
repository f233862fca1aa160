import type { AccountId } from '../../domain/identity/account.js'
import type { PageLimit } from '../../domain/page-limit.js'
import type { Project, ProjectId, ProjectPage } from '../../domain/project/project.js'
import type { Projects } from '../../ports/projects.js'
import type { Database } from './database.js'
import { projectOf } from './documents.js'
import { insertCounted } from './ids.js'
import { insertOwn } from './writes.js'

/** Projects. A page is a range of an index that has its order. */
export function createProjects(database: Database): Projects {
  const { projects, run } = database

  async function own(_id: ProjectId, createdBy: AccountId): Promise<Project | undefined> {
    const document = await projects.findOne({ _id, createdBy })
    return document === null ? undefined : projectOf(document)
  }

  async function page(createdBy: AccountId, after: ProjectId, limit: PageLimit): Promise<ProjectPage> {
    const above = { createdBy, _id: { $gt: after } }
    // By the account too: else the server may walk over the ids of all projects.
    const sort = { createdBy: 1, _id: 1 } as const
    const documents = await projects.find(above, { sort, limit: limit + 1 }).toArray()
    const found = documents.slice(0, limit).map(projectOf)
    const last = found.at(-1)
    return documents.length > limit && last ? { projects: found, next: last.id } : { projects: found }
  }

  return {
    insert: ({ label, status, budget }, createdBy, createdAt) =>
      run(async () => {
        const project = { label, status, budget, createdBy, createdAt }
        const id = await insertCounted<ProjectId>(database, 'projects', (_id) =>
          insertOwn(projects, { _id, ...project }),
        )
        return { id, ...project }
      }),
    find: (id, createdBy) => run(() => own(id, createdBy)),
    page: (createdBy, after, limit) => run(() => page(createdBy, after ?? (0 as ProjectId), limit)),
    close: (id, createdBy, closedAt) =>
      run(async () => {
        const open = { _id: id, createdBy, closedAt: { $exists: false } }
        await projects.updateOne(open, { $set: { closedAt } })
        return await own(id, createdBy)
      }),
  }
}
