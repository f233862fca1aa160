import { invalidToken } from '../../domain/refusal.js'
import type { Project } from '../../domain/project/project.js'
import * as refused from '../description/refusals.js'
import { provenBy } from '../description/security.js'
import type { Endpoint } from '../endpoint.js'
import { succeeded } from '../reply/envelope.js'
import { negotiate } from '../request/negotiate.js'
import { projectBodySchema, projectEnvelopeSchema } from '../schemas/project.js'
import { identified, presentedSession } from '../stages.js'

const DRAFT = { label: 'Spring adoption', status: 'planned', budget: 1200 }
const PROJECT = { id: 1, ...DRAFT, createdBy: 1, createdAt: '2026-01-02T03:04:05.678Z' }

/** The protected example resource: cookie, bearer header and a permission. */
export const createProject: Endpoint = {
  method: 'POST',
  path: '/api/project/create',
  action: 'project:create',
  needs: ['createProject'],
  body: {
    required: true,
    limit: 'configured',
    content: { 'application/json': { schema: projectBodySchema, example: DRAFT } },
  },
  describe: (settings) => ({
    id: 'createProject',
    summary: 'Create a project',
    description: 'It belongs to whoever is logged in.',
    tag: 'project',
    security: [provenBy(settings)],
    replies: {
      201: {
        description: 'Created',
        schema: projectEnvelopeSchema,
        example: { code: 201, response: true, view: { saved: true, data: PROJECT, messages: [] } },
      },
    },
    refusals: {
      400: refused.NOT_JSON,
      401: refused.INVALID_TOKEN,
      422: refused.FIELDS_REQUIRED,
    },
  }),
  stages: (parts, json) => [presentedSession(parts, 'refused'), identified(parts), negotiate, json],
  work:
    ({ useCases }) =>
    async ({ identity, json = {} }) => {
      if (!identity) throw invalidToken('the endpoint was reached without an identity')
      const authorized = useCases.authorize(identity, 'project', 'create')
      const { label, status, budget } = json
      const project = await useCases.createProject({ authorized, label, status, budget })
      return {
        status: 201,
        body: succeeded(201, { saved: true, data: presentProject(project), messages: [] }),
      }
    },
}

function presentProject({ id, label, status, budget, createdBy, createdAt }: Project) {
  return { id, label, status, budget, createdBy, createdAt: new Date(createdAt).toISOString() }
}
