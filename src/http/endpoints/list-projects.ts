import { PAGE_LIMIT_DEFAULT } from '../../domain/page-limit.js'
import { projectId, type ProjectId } from '../../domain/project/project.js'
import { CLOSED, projectEndpoint } from '../description/projects.js'
import * as refused from '../description/refusals.js'
import type { Endpoint } from '../endpoint.js'
import { keyset } from '../keyset.js'
import { succeeded } from '../reply/envelope.js'
import { presentProject, projectsEnvelopeSchema } from '../schemas/project.js'
import { calling } from '../stages.js'

const PATH = '/api/project'

const PAGES = keyset<ProjectId>({
  path: PATH,
  entries: 'projects',
  version: 'j1',
  write: String,
  read: projectId,
  example: 20 as ProjectId,
})

export const listProjects: Endpoint = {
  method: 'GET',
  path: PATH,
  describe: (settings) => {
    const shared = projectEndpoint(settings)
    return {
      ...shared,
      id: 'listProjects',
      summary: 'List the own projects',
      description: 'One page of the projects that this account has created, in ascending order of id.',
      parameters: { query: PAGES.query },
      replies: {
        200: {
          description: 'The projects, including closed projects',
          schema: projectsEnvelopeSchema,
          example: succeeded(200, { data: [CLOSED], messages: [] }),
          headers: PAGES.described(settings.publicUrl),
        },
      },
      refusals: { ...shared.refusals, 400: refused.BAD_LIMIT },
    }
  },
  ...calling(
    'listProjects',
    ({ request }) => PAGES.asked(request.search),
    ({ projects, next }, { base, input: { limit } }) => ({
      status: 200,
      headers: PAGES.headers(base, limit ?? PAGE_LIMIT_DEFAULT, next),
      body: succeeded(200, { data: projects.map(presentProject), messages: [] }),
    }),
  ),
}
