import * as z from 'zod'
import { PAGE_LIMIT_MAX } from '../../domain/page-limit.js'
import { PROJECT_TEXT_MAX, type Project } from '../../domain/project/project.js'
import { PLAIN_TEXT } from './validate.js'
import { envelope } from './identity.js'

/** Body of POST /api/project/create. The use case checks the fields, and rejects the request with 422. */
export const projectBodySchema = z
  .object({
    label: z.string().meta({ minLength: 1, maxLength: PROJECT_TEXT_MAX, pattern: PLAIN_TEXT }),
    status: z.string().meta({ minLength: 1, maxLength: PROJECT_TEXT_MAX, pattern: PLAIN_TEXT }),
    budget: z.number().meta({ minimum: 0 }),
  })
  .meta({ id: 'ProjectDraft' })

/** Body of POST /api/project/close, also checked by the use case. */
export const closeProjectBodySchema = z
  .object({ id: z.int().positive().describe('Id of one of your own projects.') })
  .meta({ id: 'CloseProjectRequest' })

const projectSchema = z
  .strictObject({
    id: z.int().positive(),
    label: z.string(),
    status: z.string(),
    budget: z.number().min(0),
    createdBy: z.int().positive(),
    createdAt: z.iso.datetime(),
    closedAt: z.iso.datetime().optional().describe('Absent while the project is open.'),
  })
  .meta({ id: 'Project' })

/** The reply to creating or closing a project, including every refusal. */
export const projectEnvelopeSchema = envelope('ProjectEnvelope', {
  saved: z.boolean(),
  data: projectSchema.optional(),
})

export const readProjectEnvelopeSchema = envelope('ReadProjectEnvelope', { data: projectSchema })

export const projectsEnvelopeSchema = envelope('ProjectsEnvelope', {
  data: z.array(projectSchema).max(PAGE_LIMIT_MAX),
})

export function presentProject(project: Project): z.input<typeof projectSchema> {
  const { id, label, status, budget, createdBy, createdAt, closedAt } = project
  const shown = { id, label, status, budget, createdBy, createdAt: new Date(createdAt).toISOString() }
  return closedAt === undefined ? shown : { ...shown, closedAt: new Date(closedAt).toISOString() }
}
