import { CLOSED, projectEndpoint } from '../description/projects.js'
import * as refused from '../description/refusals.js'
import { identityBody, type Endpoint } from '../endpoint.js'
import { succeeded } from '../reply/envelope.js'
import { closeProjectBodySchema, presentProject, projectEnvelopeSchema } from '../schemas/project.js'
import { calling } from '../stages.js'

export const closeProject: Endpoint = {
  method: 'POST',
  path: '/api/project/close',
  body: identityBody(closeProjectBodySchema, { id: 1 }),
  describe: (settings) => {
    const shared = projectEndpoint(settings)
    return {
      ...shared,
      id: 'closeProject',
      summary: 'Close an own project',
      description: 'A closed project can still be read. Closing it again has no effect.',
      replies: {
        200: {
          description: 'The closed project',
          schema: projectEnvelopeSchema,
          example: succeeded(200, { saved: true, data: CLOSED, messages: [] }),
        },
      },
      refusals: {
        ...shared.refusals,
        400: refused.NOT_JSON,
        404: refused.NO_PROJECT,
        422: refused.PROJECT_ID_REQUIRED,
      },
    }
  },
  ...calling(
    'closeProject',
    ({ json = {} }) => ({ id: json['id'] }),
    (project) => ({
      status: 200,
      body: succeeded(200, { saved: true, data: presentProject(project), messages: [] }),
    }),
  ),
}
