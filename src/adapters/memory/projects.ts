import type { AccountId } from '../../domain/identity/account.js'
import { pageOf } from '../../domain/page-limit.js'
import type { Project, ProjectId } from '../../domain/project/project.js'
import type { RequiredCalls } from '../../ports/calls/store.js'
import type { SyncPort } from '../../application/wrap-port.js'
import { createAscending } from './collections.js'

/** Projects in memory. */
export function memoryProjects(): SyncPort<RequiredCalls<'projects'>> {
  const projects = createAscending<ProjectId, Project>()

  const find = (id: ProjectId, createdBy: AccountId) => {
    const project = projects.get(id)
    return project?.createdBy === createdBy ? project : undefined
  }

  return {
    insert({ label, status, budget }, createdBy, createdAt) {
      const project = { label, status, budget, createdBy, createdAt }
      const id = projects.add((next) => ({ id: next, ...project }))
      return { id, ...project }
    },
    find,
    page(createdBy, after = 0 as ProjectId, limit) {
      const found = [...projects.all()].filter((one) => one.createdBy === createdBy && one.id > after)
      return pageOf('projects', found.slice(0, limit + 1), limit)
    },
    close(id, createdBy, at) {
      const before = find(id, createdBy)
      if (!before) return undefined
      const project = { closedAt: at, ...before }
      projects.replace(id, project)
      return project
    },
  }
}
