import { NOT_VALID, REQUIRED } from '../../domain/messages.js'
import { PAGE_LIMIT_DEFAULT } from '../../domain/page-limit.js'
import { accepted, broken, type Parsed, isPositiveInteger } from '../../domain/parsed.js'
import { budget, projectText, type ProjectId } from '../../domain/project/project.js'
import { refuse, type Refusal } from '../../domain/refusal.js'
import { anything, fields, id, optional, parseFields } from '../fields.js'
import { identity, pageSize, possibleId } from '../inputs.js'
import { operation } from '../operation.js'

/**
 * Adds a project for the caller. Refuses with `invalid`; the refusal names every field that is missing, has the wrong type or violates its
 * rule.
 */
export const createProject = operation({
  permission: ['project', 'create'],
  caller: identity,
  input: fields({ label: anything, status: anything, budget: anything }),
  parts: ['projects', 'clock'],
  run:
    ({ projects, clock }) =>
    async ({ caller, ...raw }) => {
      const draft = parseFields({
        label: field(raw.label, 'string', projectText),
        status: field(raw.status, 'string', projectText),
        budget: field(raw.budget, 'number', budget),
      })
      return await projects.insert(draft, caller.accountId, clock())
    },
})

function field<T>(value: unknown, type: 'string', rule: (text: string) => Parsed<T>): Parsed<T>
function field<T>(value: unknown, type: 'number', rule: (number: number) => Parsed<T>): Parsed<T>
function field<T>(value: unknown, type: string, rule: (value: never) => Parsed<T>): Parsed<T> {
  if (value === undefined || value === null || value === '') return broken('Required', REQUIRED)
  if (typeof value !== type) return broken('NotValid', NOT_VALID)
  const parsed = rule(value as never)
  return parsed.ok ? parsed : broken(parsed.type, NOT_VALID)
}

/** Returns one page of the caller's projects, including closed projects, 20 by default. */
export const listProjects = operation({
  permission: ['project', 'list'],
  caller: identity,
  input: fields({ limit: optional(pageSize), after: optional(id<ProjectId>()) }),
  parts: ['projects'],
  run:
    ({ projects }) =>
    async ({ caller, limit = PAGE_LIMIT_DEFAULT, after }) =>
      await projects.page(caller.accountId, after, limit),
})

/** Resolves with a project of the caller. Refuses with `not-found`, including for another account's project or a missing `id`. */
export const readProject = operation({
  permission: ['project', 'read'],
  caller: identity,
  input: fields({ id: possibleId<ProjectId>() }),
  parts: ['projects'],
  run:
    ({ projects }) =>
    async ({ caller, id }) => {
      const project = id === undefined ? undefined : await projects.find(id, caller.accountId)
      if (!project) throw noSuchProject()
      return project
    },
})

/**
 * Closes one of the caller's projects; closing a closed project changes nothing. Refuses with `invalid` if the ID is missing (`required`)
 * or impossible (`not-valid`). Refuses with `not-found`; a project of another account also counts as not found.
 */
export const closeProject = operation({
  permission: ['project', 'close'],
  caller: identity,
  input: fields({ id: anything }),
  parts: ['projects', 'clock'],
  run:
    ({ projects, clock }) =>
    async ({ caller, id: raw }) => {
      const { id } = parseFields({ id: field(raw, 'number', possibleProjectId) })
      const project = await projects.close(id, caller.accountId, clock())
      if (!project) throw noSuchProject()
      return project
    },
})

function possibleProjectId(value: number): Parsed<ProjectId> {
  return isPositiveInteger(value) ? accepted(value as ProjectId) : broken('NotValid', NOT_VALID)
}

function noSuchProject(): Refusal {
  return refuse('not-found', 'NotFound', 'There is no project with this id.')
}
