import { PROJECT, PROJECT_DRAFT } from '../description/examples.js'
import * as refused from '../description/refusals.js'
import { bodyOf, type Endpoint } from '../endpoint.js'
import { success } from '../reply/envelope.js'
import { presentProject, projectBodySchema, projectEnvelopeSchema } from '../schemas/project.js'
import { calling } from '../stages.js'

/** Declares `POST /api/project/create`, an example of a protected resource: needs a cookie, a bearer header and a permission. */
export const createProject: Endpoint = {
  method: 'POST',
  path: '/api/project/create',
  body: bodyOf(projectBodySchema, PROJECT_DRAFT, { limit: 'configured' }),
  describe: () => ({
    summary: 'Create a project',
    description: 'The project belongs to the account that is logged in.',
    replies: {
      201: {
        description: 'Created',
        schema: projectEnvelopeSchema,
        example: success({ saved: true, data: PROJECT }, 201),
      },
    },
    refusals: { 400: refused.NOT_JSON, 422: refused.FIELDS_REQUIRED },
  }),
  ...calling(
    'createProject',
    ({ json: { label, status, budget } = {} }) => ({ label, status, budget }),
    (project) => ({ status: 201, body: success({ saved: true, data: presentProject(project) }, 201) }),
  ),
}
