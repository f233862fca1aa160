import { projectId } from '../../domain/project/project.js'
import { PROJECT, projectEndpoint, projectIdParameter } from '../description/projects.js'
import * as refused from '../description/refusals.js'
import type { Endpoint } from '../endpoint.js'
import { succeeded } from '../reply/envelope.js'
import { presentProject, readProjectEnvelopeSchema } from '../schemas/project.js'
import { calling } from '../stages.js'

export const readProject: Endpoint = {
  method: 'GET',
  path: '/api/project/:projectId',
  describe: (settings) => {
    const shared = projectEndpoint(settings)
    return {
      ...shared,
      id: 'readProject',
      summary: 'Get an own project',
      description: 'A project of another account gets 404 like a project that does not exist.',
      parameters: { path: projectIdParameter },
      replies: {
        200: {
          description: 'The project',
          schema: readProjectEnvelopeSchema,
          example: succeeded(200, { data: PROJECT, messages: [] }),
        },
      },
      refusals: { ...shared.refusals, 404: refused.NO_PROJECT },
    }
  },
  ...calling(
    'readProject',
    ({ request }) => ({ id: projectId(request.parameters['projectId'] ?? '') }),
    (project) => ({ status: 200, body: succeeded(200, { data: presentProject(project), messages: [] }) }),
  ),
}
