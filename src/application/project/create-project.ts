import type { Identity } from '../../domain/access/caller.js'
import { NOT_VALID, REQUIRED } from '../../domain/messages.js'
import { broken, type Parsed } from '../../domain/parsed.js'
import { budget, projectText, type Project } from '../../domain/project/project.js'
import type { Clock } from '../../ports/clock.js'
import type { Projects } from '../../ports/projects.js'
import type { Authorized } from '../access/authorize.js'
import { parseFields } from '../fields.js'

/**
 * Adds a project in the caller's name. The fields are taken as they came; `invalid` names every
 * one that is missing (`required`), of the wrong type or breaks its rule (`not-valid`).
 */
export type CreateProject = (input: {
  authorized: Authorized<'project', 'create', Identity>
  label: unknown
  status: unknown
  budget: unknown
}) => Promise<Project>

/** Takes the proof of `project: create`. */
export function createCreateProject(parts: { projects: Projects; clock: Clock }): CreateProject {
  return async ({ authorized: { caller }, ...fields }) => {
    const draft = parseFields({
      label: field(fields.label, 'string', projectText),
      status: field(fields.status, 'string', projectText),
      budget: field(fields.budget, 'number', budget),
    })
    return await parts.projects.insert(draft, caller.accountId, parts.clock())
  }
}

function field<T>(value: unknown, type: 'string', rule: (text: string) => Parsed<T>): Parsed<T>
function field<T>(value: unknown, type: 'number', rule: (number: number) => Parsed<T>): Parsed<T>
function field<T>(value: unknown, type: string, rule: (value: never) => Parsed<T>): Parsed<T> {
  if (value === undefined || value === null || value === '') return broken('Required', REQUIRED)
  if (typeof value !== type) return broken('NotValid', NOT_VALID)
  const parsed = rule(value as never)
  return parsed.ok ? parsed : broken(parsed.type, NOT_VALID)
}
