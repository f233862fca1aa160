import type { ProjectId } from '../../domain/project/project.js'
import { refuse, type Refusal } from '../../domain/refusal.js'
import type { Projects } from '../../ports/projects.js'
import { identity, possibleId } from '../inputs.js'
import { fields } from '../fields.js'
import { operation } from '../operation.js'

/**
 * A project of the caller. Refuses with `not-found`, also for a project of another account and if `id` is `undefined`.
 */
export const readProject = operation({
  permission: ['project', 'read'],
  caller: identity,
  input: fields({ id: possibleId<ProjectId>() }),
  parts: ['projects'],
  run:
    ({ projects }: { projects: Projects }) =>
    async ({ caller, id }) => {
      const project = id === undefined ? undefined : await projects.find(id, caller.accountId)
      if (!project) throw noSuchProject()
      return project
    },
})

export function noSuchProject(): Refusal {
  return refuse('not-found', 'NotFound', 'There is no project with this id.')
}
