import * as z from 'zod'
import { projectId, type ProjectId } from '../../domain/project/project.js'
import { CLOSED_PROJECT, PROJECT, PROJECT_DRAFT } from '../description/examples.js'
import * as refused from '../description/refusals.js'
import { bodyOf, type Endpoint } from '../endpoint.js'
import { keyset } from '../keyset.js'
import { success } from '../reply/envelope.js'
import {
  closeProjectBodySchema,
  presentProject,
  projectBodySchema,
  projectEnvelopeSchema,
  projectsEnvelopeSchema,
  readProjectEnvelopeSchema,
} from '../schemas/project.js'
import { calling, members } from '../stages.js'

const PATH = '/api/project'

const PAGES = keyset<ProjectId>({
  path: PATH,
  entries: 'projects',
  version: 'j1',
  write: String,
  read: projectId,
  example: 20 as ProjectId,
})

const projectIdParameter = z.object({
  projectId: z.string().meta({ description: 'The id of the project.', param: { example: '1' } }),
})

const NO_PROJECT = refused.messageOf('NotFound', 'There is no project with this id.')

/** The routes for projects, an example of a protected resource: each route needs a cookie, a bearer header and a permission. */
export const projects: readonly Endpoint[] = [
  {
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
      refusals: { 400: refused.NOT_JSON, 422: ['label', 'status', 'budget'].flatMap(refused.MISSING) },
    }),
    ...calling('createProject', members('label', 'status', 'budget'), (project) => ({
      status: 201,
      body: success({ saved: true, data: presentProject(project) }, 201),
    })),
  },
  {
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
  },
  {
    method: 'GET',
    path: '/api/project/:projectId',
    describe: () => ({
      summary: 'Get one of your own projects',
      description:
        'For a project of another account, the reply is 404, as for a project that does not exist.',
      parameters: { path: projectIdParameter },
      replies: {
        200: {
          description: 'The project',
          schema: readProjectEnvelopeSchema,
          example: success({ data: PROJECT }),
        },
      },
      refusals: { 404: NO_PROJECT },
    }),
    ...calling(
      'readProject',
      ({ request }) => ({ id: projectId(request.parameters['projectId'] ?? '') }),
      (project) => ({ status: 200, body: success({ data: presentProject(project) }) }),
    ),
  },
  {
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
      refusals: { 400: refused.NOT_JSON, 404: NO_PROJECT, 422: refused.MISSING('id') },
    }),
    ...calling('closeProject', members('id'), (project) => ({
      status: 200,
      body: success({ saved: true, data: presentProject(project) }),
    })),
  },
]
