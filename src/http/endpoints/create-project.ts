import { DRAFT, PROJECT, projectEndpoint } from '../description/projects.js'
import * as refused from '../description/refusals.js'
import type { Endpoint } from '../endpoint.js'
import { succeeded } from '../reply/envelope.js'
import { presentProject, projectBodySchema, projectEnvelopeSchema } from '../schemas/project.js'
import { calling } from '../stages.js'

/** The protected example resource: needs cookie, bearer header and a permission. */
export const createProject: Endpoint = {
  method: 'POST',
  path: '/api/project/create',
  body: {
    required: true,
    limit: 'configured',
    content: { 'application/json': { schema: projectBodySchema, example: DRAFT } },
  },
  describe: (settings) => {
    const shared = projectEndpoint(settings)
    return {
      ...shared,
      id: 'createProject',
      summary: 'Create a project',
      description: 'The project belongs to the account that is logged in.',
      replies: {
        201: {
          description: 'Created',
          schema: projectEnvelopeSchema,
          example: succeeded(201, { saved: true, data: PROJECT, messages: [] }),
        },
      },
      refusals: { ...shared.refusals, 400: refused.NOT_JSON, 422: refused.FIELDS_REQUIRED },
    }
  },
  ...calling(
    'createProject',
    ({ json: { label, status, budget } = {} }) => ({ label, status, budget }),
    (project) => ({
      status: 201,
      body: succeeded(201, { saved: true, data: presentProject(project), messages: [] }),
    }),
  ),
}
