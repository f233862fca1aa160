import { projectId, type ProjectId } from '../../domain/project/project.js'
import { CLOSED_PROJECT } from '../description/examples.js'
import * as refused from '../description/refusals.js'
import type { Endpoint } from '../endpoint.js'
import { keyset } from '../keyset.js'
import { success } from '../reply/envelope.js'
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

/** Declares `GET /api/project`. */
export const listProjects: Endpoint = {
  method: 'GET',
  path: PATH,
  describe: (settings) => ({
    summary: 'List your own projects',
    description: 'One page of the projects that this account has created, in ascending order of id.',
    parameters: { query: PAGES.query },
    replies: {
      200: {
        description: 'The projects, including closed projects',
        schema: projectsEnvelopeSchema,
        example: success({ data: [CLOSED_PROJECT] }),
        headers: PAGES.described(settings.publicUrl),
      },
    },
    refusals: { 400: refused.BAD_LIMIT },
  }),
  ...calling(
    'listProjects',
    ({ request }) => PAGES.asked(request.search),
    ({ projects, next }, { base, input: { limit } }) => ({
      status: 200,
      headers: PAGES.headers(base, limit, next),
      body: success({ data: projects.map(presentProject) }),
    }),
  ),
}
