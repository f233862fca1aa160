import { NOT_VALID, REQUIRED } from '../../domain/messages.js'
import { broken, type Parsed } from '../../domain/parsed.js'
import { budget, projectText } from '../../domain/project/project.js'
import type { Clock } from '../../ports/clock.js'
import type { Projects } from '../../ports/projects.js'
import { anything, fields, parseFields } from '../fields.js'
import { identity } from '../inputs.js'
import { operation } from '../operation.js'

/**
 * Adds a project of the caller. `invalid` names every field that is missing (`required`), has the wrong type or breaks
 * its rule (`not-valid`).
 */
export const createProject = operation({
  permission: ['project', 'create'],
  caller: identity,
  input: fields({ label: anything, status: anything, budget: anything }),
  parts: ['projects', 'clock'],
  run:
    ({ projects, clock }: { projects: Projects; clock: Clock }) =>
    async ({ caller, ...given }) => {
      const draft = parseFields({
        label: field(given.label, 'string', projectText),
        status: field(given.status, 'string', projectText),
        budget: field(given.budget, 'number', budget),
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
