import type { AccountId } from '../../domain/identity/account.js'
import { pageOf } from '../../domain/page-limit.js'
import type { Project, ProjectId } from '../../domain/project/project.js'
import type { RequiredCalls } from '../../ports/calls/store.js'
import type { SyncPort } from '../../application/wrap-port.js'
import { createAscending, lowerBound } from './collections.js'

/** Projects in memory. */
export function memoryProjects(): SyncPort<RequiredCalls<'projects'>> {
  const projects = createAscending<ProjectId, Project>()
  /** Project IDs in ascending order. */
  const byCreator = new Map<AccountId, ProjectId[]>()

  const find = (id: ProjectId, createdBy: AccountId) => {
    const project = projects.get(id)
    return project?.createdBy === createdBy ? project : undefined
  }

  return {
    insert({ label, status, budget }, createdBy, createdAt) {
      const project = { label, status, budget, createdBy, createdAt }
      const id = projects.add((next) => ({ id: next, ...project }))
      const ids = byCreator.get(createdBy)
      if (ids) ids.push(id)
      else byCreator.set(createdBy, [id])
      return { id, ...project }
    },
    find,
    page(createdBy, after = 0 as ProjectId, limit) {
      const ids = byCreator.get(createdBy) ?? []
      const start = lowerBound(ids, (id) => id > after)
      const found = ids.slice(start, start + limit + 1).flatMap((id) => projects.get(id) ?? [])
      return pageOf('projects', found, limit)
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
