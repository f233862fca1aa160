import { pageOf } from '../../domain/page-limit.js'
import type { Project, ProjectId } from '../../domain/project/project.js'
import type { Projects } from '../../ports/projects.js'
import type { Database } from './database.js'
import { recordOf } from './documents.js'
import { insertCounted, insertOwn } from './writes.js'

/** Stores projects. */
export function createProjects(database: Database): Projects {
  const { projects } = database

  const find: Projects['find'] = async (_id, createdBy) => {
    const document = await projects.findOne({ _id, createdBy })
    return document === null ? undefined : recordOf<Project>(document)
  }

  return {
    async insert({ label, status, budget }, createdBy, createdAt) {
      const project = { label, status, budget, createdBy, createdAt }
      const id = await insertCounted<ProjectId>(database, 'projects', (_id) =>
        insertOwn(projects, { _id, ...project }),
      )
      return { id, ...project }
    },
    find,
    async page(createdBy, after = 0 as ProjectId, limit) {
      // Also sorts by account, because otherwise the server may scan the IDs of all projects.
      const options = { sort: { createdBy: 1, _id: 1 }, limit: limit + 1 } as const
      const found = await projects.find({ createdBy, _id: { $gt: after } }, options).toArray()
      return pageOf('projects', found.map(recordOf<Project>), limit)
    },
    async close(id, createdBy, closedAt) {
      const open = { _id: id, createdBy, closedAt: { $exists: false } }
      await projects.updateOne(open, { $set: { closedAt } })
      return await find(id, createdBy)
    },
  }
}
