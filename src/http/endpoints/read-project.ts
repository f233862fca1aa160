import { projectId } from '../../domain/project/project.js'
import { PROJECT, projectEndpoint, projectIdParameter } from '../description/projects.js'
import * as refused from '../description/refusals.js'
import type { Endpoint } from '../endpoint.js'
import { succeeded } from '../reply/envelope.js'
import { negotiate } from '../request/negotiate.js'
import { presentProject, readProjectEnvelopeSchema } from '../schemas/project.js'
import { identified, permittedIdentity, presentedSession } from '../stages.js'

export const readProject: Endpoint = {
  method: 'GET',
  path: '/api/project/:projectId',
  action: 'project:read',
  needs: ['readProject'],
  describe: (settings) => {
    const shared = projectEndpoint(settings)
    return {
      ...shared,
      id: 'readProject',
      summary: 'One of one’s own projects',
      description: 'One that another account has created is 404, as one that does not exist.',
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
  stages: (parts) => [presentedSession(parts, 'refused'), identified(parts), negotiate],
  work: (parts) =>
    permittedIdentity(parts, ['project', 'read'], async ({ request }, authorized) => {
      const id = projectId(request.parameters['projectId'] ?? '')
      const project = await parts.useCases.readProject({ authorized, id })
      return { status: 200, body: succeeded(200, { data: presentProject(project), messages: [] }) }
    }),
}
