import { NOT_VALID, REQUIRED } from '../../domain/messages.js'
import { accepted, broken, type Parsed } from '../../domain/parsed.js'
import { isPositiveInteger } from '../../domain/positive-integer.js'
import type { ProjectId } from '../../domain/project/project.js'
import type { Clock } from '../../ports/clock.js'
import type { Projects } from '../../ports/projects.js'
import { anything, fields, parseFields } from '../fields.js'
import { identity } from '../inputs.js'
import { operation } from '../operation.js'
import { noSuchProject } from './read-project.js'

/**
 * Closes a project of the caller; a closed project stays as it is. `invalid` if the ID is missing (`required`) or
 * impossible (`not-valid`). Refuses with `not-found`, also for a project of another account.
 */
export const closeProject = operation({
  permission: ['project', 'close'],
  caller: identity,
  input: fields({ id: anything }),
  parts: ['projects', 'clock'],
  run:
    ({ projects, clock }: { projects: Projects; clock: Clock }) =>
    async ({ caller, id: given }) => {
      const { id } = parseFields({ id: projectIdOf(given) })
      const project = await projects.close(id, caller.accountId, clock())
      if (!project) throw noSuchProject()
      return project
    },
})

function projectIdOf(value: unknown): Parsed<ProjectId> {
  if (value === undefined || value === null || value === '') return broken('Required', REQUIRED)
  return isPositiveInteger(value) ? accepted(value as ProjectId) : broken('NotValid', NOT_VALID)
}
