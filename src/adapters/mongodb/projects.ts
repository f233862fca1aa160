import type { ProjectId } from '../../domain/project/project.js'
import type { Projects } from '../../ports/projects.js'
import type { Database } from './database.js'
import { insertCounted } from './ids.js'
import { insertOwn } from './writes.js'

export function createProjects(database: Database): Projects {
  const { projects, run } = database
  return {
    insert: ({ label, status, budget }, createdBy, createdAt) =>
      run(async () => {
        const project = { label, status, budget, createdBy, createdAt }
        const id = await insertCounted<ProjectId>(database, 'projects', (_id) =>
          insertOwn(projects, { _id, ...project }),
        )
        return { id, ...project }
      }),
  }
}
