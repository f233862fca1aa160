import { PAGE_LIMIT_DEFAULT } from '../../domain/page-limit.js'
import type { ProjectId } from '../../domain/project/project.js'
import type { Projects } from '../../ports/projects.js'
import { fields, id, optional } from '../fields.js'
import { identity, pageSize } from '../inputs.js'
import { operation } from '../operation.js'

/** One page of the projects of the caller, closed projects too, 20 by default. */
export const listProjects = operation({
  permission: ['project', 'list'],
  caller: identity,
  input: fields({ limit: optional(pageSize), after: optional(id<ProjectId>()) }),
  parts: ['projects'],
  run:
    ({ projects }: { projects: Projects }) =>
    async ({ caller, limit = PAGE_LIMIT_DEFAULT, after }) =>
      await projects.page(caller.accountId, after, limit),
})
