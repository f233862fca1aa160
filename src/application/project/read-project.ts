import type { Identity } from '../../domain/access/caller.js'
import type { Project, ProjectId } from '../../domain/project/project.js'
import { refuse, type Refusal } from '../../domain/refusal.js'
import type { Projects } from '../../ports/projects.js'
import type { Authorized } from '../access/authorize.js'

/**
 * One of the caller's own projects. `id` is `undefined` where the caller named no possible id. Refuses with `not-found`,
 * a project of another account as well.
 */
export type ReadProject = (input: {
  authorized: Authorized<'project', 'read', Identity>
  id: ProjectId | undefined
}) => Promise<Project>

/** Takes the proof of `project: read`. */
export function createReadProject(parts: { projects: Projects }): ReadProject {
  return async ({ authorized: { caller }, id }) => {
    const project = id === undefined ? undefined : await parts.projects.find(id, caller.accountId)
    if (!project) throw noSuchProject()
    return project
  }
}

export function noSuchProject(): Refusal {
  return refuse('not-found', 'NotFound', 'There is no project with this id.')
}
