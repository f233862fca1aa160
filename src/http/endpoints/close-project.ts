import { CLOSED_PROJECT } from '../description/examples.js'
import * as refused from '../description/refusals.js'
import { bodyOf, type Endpoint } from '../endpoint.js'
import { success } from '../reply/envelope.js'
import { closeProjectBodySchema, presentProject, projectEnvelopeSchema } from '../schemas/project.js'
import { calling } from '../stages.js'

/** Declares `POST /api/project/close`. */
export const closeProject: Endpoint = {
  method: 'POST',
  path: '/api/project/close',
  body: bodyOf(closeProjectBodySchema, { id: 1 }),
  describe: () => ({
    summary: 'Close one of your own projects',
    description: 'A closed project can still be read. Closing a closed project has no effect.',
    replies: {
      200: {
        description: 'The closed project',
        schema: projectEnvelopeSchema,
        example: success({ saved: true, data: CLOSED_PROJECT }),
      },
    },
    refusals: { 400: refused.NOT_JSON, 404: refused.NO_PROJECT, 422: refused.PROJECT_ID_REQUIRED },
  }),
  ...calling(
    'closeProject',
    ({ json = {} }) => ({ id: json['id'] }),
    (project) => ({ status: 200, body: success({ saved: true, data: presentProject(project) }) }),
  ),
}
