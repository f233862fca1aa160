import * as z from 'zod'
import { PROJECT_TEXT_MAX } from '../../domain/project/project.js'
import { PLAIN_TEXT } from './common.js'
import { messageSchema } from './identity.js'

/**
 * Body of POST /api/project/create, as documented. The use case judges the fields, so that
 * every one that is missing or wrong is told as a message of the model (422).
 */
export const projectBodySchema = z
  .object({
    label: z.string().meta({ minLength: 1, maxLength: PROJECT_TEXT_MAX, pattern: PLAIN_TEXT }),
    status: z.string().meta({ minLength: 1, maxLength: PROJECT_TEXT_MAX, pattern: PLAIN_TEXT }),
    budget: z.number().meta({ minimum: 0 }),
  })
  .meta({ id: 'ProjectDraft' })

const projectSchema = z
  .strictObject({
    id: z.int().positive(),
    label: z.string(),
    status: z.string(),
    budget: z.number().min(0),
    createdBy: z.int().positive(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Project' })

export const projectEnvelopeSchema = z
  .strictObject({
    code: z.int(),
    response: z.boolean(),
    view: z.strictObject({
      saved: z.boolean(),
      data: projectSchema.optional(),
      messages: z.array(messageSchema),
    }),
  })
  .meta({ id: 'ProjectEnvelope' })
