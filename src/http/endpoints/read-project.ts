import * as z from 'zod'
import { projectId } from '../../domain/project/project.js'
import { PROJECT } from '../description/examples.js'
import * as refused from '../description/refusals.js'
import type { Endpoint } from '../endpoint.js'
import { success } from '../reply/envelope.js'
import { presentProject, readProjectEnvelopeSchema } from '../schemas/project.js'
import { calling } from '../stages.js'

const projectIdParameter = z.object({
  projectId: z.string().meta({ description: 'The id of the project.', param: { example: '1' } }),
})

/** Declares `GET /api/project/:projectId`. */
export const readProject: Endpoint = {
  method: 'GET',
  path: '/api/project/:projectId',
  describe: () => ({
    summary: 'Get one of your own projects',
    description: 'For a project of another account, the reply is 404, as for a project that does not exist.',
    parameters: { path: projectIdParameter },
    replies: {
      200: {
        description: 'The project',
        schema: readProjectEnvelopeSchema,
        example: success({ data: PROJECT }),
      },
    },
    refusals: { 404: refused.NO_PROJECT },
  }),
  ...calling(
    'readProject',
    ({ request }) => ({ id: projectId(request.parameters['projectId'] ?? '') }),
    (project) => ({ status: 200, body: success({ data: presentProject(project) }) }),
  ),
}
