import type { Identity } from '../../domain/access/caller.js'
import { PAGE_LIMIT_DEFAULT, type PageLimit } from '../../domain/page-limit.js'
import type { ProjectId, ProjectPage } from '../../domain/project/project.js'
import type { Projects } from '../../ports/projects.js'
import type { Authorized } from '../access/authorize.js'

/** One page of the caller's own projects, closed ones too, 20 unless told. Refuses with `unauthenticated` or `forbidden`. */
export type ListProjects = (input: {
  authorized: Authorized<'project', 'list', Identity>
  limit?: PageLimit
  after?: ProjectId
}) => Promise<ProjectPage>

/** Takes the proof of `project: list`. */
export function createListProjects(parts: { projects: Projects }): ListProjects {
  return async ({ authorized: { caller }, limit = PAGE_LIMIT_DEFAULT, after }) =>
    await parts.projects.page(caller.accountId, after, limit)
}
