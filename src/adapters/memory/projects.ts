import type { AccountId } from '../../domain/identity/account.js'
import type { Project, ProjectId } from '../../domain/project/project.js'
import type { Projects } from '../../ports/projects.js'
import type { SyncPort } from '../../ports/wrap-port.js'
import { createAscending, lowerBound } from './ascending.js'

export function memoryProjects(): SyncPort<Projects> {
  const projects = createAscending<ProjectId, Project>()
  /** Ascending, so that a page is found by binary search. */
  const byCreator = new Map<AccountId, ProjectId[]>()

  function own(id: ProjectId, createdBy: AccountId): Project | undefined {
    const project = projects.get(id)
    return project?.createdBy === createdBy ? project : undefined
  }

  return {
    insert({ label, status, budget }, createdBy, createdAt) {
      const project = { label, status, budget, createdBy, createdAt }
      const id = projects.add((given) => ({ id: given, ...project }))
      const ids = byCreator.get(createdBy)
      if (ids) ids.push(id)
      else byCreator.set(createdBy, [id])
      return { id, ...project }
    },
    find(id, createdBy) {
      const project = own(id, createdBy)
      return project && { ...project }
    },
    page(createdBy, after = 0 as ProjectId, limit) {
      const ids = byCreator.get(createdBy) ?? []
      const start = lowerBound(ids, (id) => id > after)
      const shown = ids.slice(start, start + limit)
      const page = { projects: shown.flatMap((id) => projects.get(id) ?? []).map((one) => ({ ...one })) }
      const next = shown.at(-1)
      return next !== undefined && ids.length > start + limit ? { ...page, next } : page
    },
    close(id, createdBy, at) {
      const before = own(id, createdBy)
      if (!before) return undefined
      const project = { closedAt: at, ...before }
      projects.replace(id, project)
      return { ...project }
    },
  }
}
