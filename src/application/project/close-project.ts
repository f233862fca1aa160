import type { Identity } from '../../domain/access/caller.js'
import { NOT_VALID, REQUIRED } from '../../domain/messages.js'
import { accepted, broken, type Parsed } from '../../domain/parsed.js'
import { isPositiveInteger } from '../../domain/positive-integer.js'
import type { Project, ProjectId } from '../../domain/project/project.js'
import type { Clock } from '../../ports/clock.js'
import type { Projects } from '../../ports/projects.js'
import type { Authorized } from '../access/authorize.js'
import { parseFields } from '../fields.js'
import { noSuchProject } from './read-project.js'

/**
 * Closes one of the caller's own projects; one that is closed already stays as it is. The id is taken as it came:
 * `invalid` where it is missing (`required`) or no possible id (`not-valid`). Refuses with `not-found`, a project of
 * another account as well.
 */
export type CloseProject = (input: {
  authorized: Authorized<'project', 'close', Identity>
  id: unknown
}) => Promise<Project>

/** Takes the proof of `project: close`. */
export function createCloseProject(parts: { projects: Projects; clock: Clock }): CloseProject {
  return async ({ authorized: { caller }, id: given }) => {
    const { id } = parseFields({ id: projectIdOf(given) })
    const project = await parts.projects.close(id, caller.accountId, parts.clock())
    if (!project) throw noSuchProject()
    return project
  }
}

function projectIdOf(value: unknown): Parsed<ProjectId> {
  if (value === undefined || value === null || value === '') return broken('Required', REQUIRED)
  return isPositiveInteger(value) ? accepted(value as ProjectId) : broken('NotValid', NOT_VALID)
}
