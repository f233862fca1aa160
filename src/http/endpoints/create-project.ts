import { DRAFT, PROJECT, projectEndpoint } from '../description/projects.js'
import * as refused from '../description/refusals.js'
import type { Endpoint } from '../endpoint.js'
import { succeeded } from '../reply/envelope.js'
import { negotiate } from '../request/negotiate.js'
import { presentProject, projectBodySchema, projectEnvelopeSchema } from '../schemas/project.js'
import { identified, permittedIdentity, presentedSession } from '../stages.js'

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
  describe: (settings) => {
    const shared = projectEndpoint(settings)
    return {
      ...shared,
      id: 'createProject',
      summary: 'Create a project',
      description: 'It belongs to whoever is logged in.',
      replies: {
        201: {
          description: 'Created',
          schema: projectEnvelopeSchema,
          example: succeeded(201, { saved: true, data: PROJECT, messages: [] }),
        },
      },
      refusals: { ...shared.refusals, 400: refused.NOT_JSON, 422: refused.FIELDS_REQUIRED },
    }
  },
  stages: (parts, json) => [presentedSession(parts, 'refused'), identified(parts), negotiate, json],
  work: (parts) =>
    permittedIdentity(parts, ['project', 'create'], async ({ json = {} }, authorized) => {
      const { label, status, budget } = json
      const project = await parts.useCases.createProject({ authorized, label, status, budget })
      const view = { saved: true, data: presentProject(project), messages: [] }
      return { status: 201, body: succeeded(201, view) }
    }),
}
