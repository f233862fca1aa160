import type Router from '@koa/router'
import { invalidToken } from '../../../domain/refusal.js'
import type { Project } from '../../../domain/project/project.js'
import { inOrder, type RequestState, type Stage } from '../context.js'
import { succeeded } from '../reply/envelope.js'
import { jsonBody } from '../request/json-body.js'
import { negotiate } from '../request/negotiate.js'
import type { HttpSettings } from '../settings.js'
import type { HttpUseCases } from '../use-cases.js'
import { identified, presentedSession } from './stages.js'

/** The protected example resource: cookie, bearer header and a permission. */
export function projectRoutes(
  router: Router<RequestState>,
  useCases: HttpUseCases,
  settings: HttpSettings,
): void {
  const body = jsonBody({ limit: settings.bodyLimit, types: ['application/json'], required: true })
  const presented = presentedSession(useCases, settings, 'refused')
  router.post(
    '/api/project/create',
    inOrder(presented, identified(useCases), negotiate, body, createProject(useCases)),
  )
}

function createProject(useCases: HttpUseCases): Stage {
  return async (ctx) => {
    const caller = ctx.state.identity
    if (!caller) throw invalidToken('the route was reached without an identity')
    const authorized = useCases.authorize(caller, 'project', 'create')
    const { label, status, budget } = ctx.state.json ?? {}
    const project = await useCases.createProject({ authorized, label, status, budget })
    ctx.status = 201
    ctx.body = succeeded(201, { saved: true, data: presentProject(project), messages: [] })
  }
}

function presentProject({ id, label, status, budget, createdBy, createdAt }: Project) {
  return { id, label, status, budget, createdBy, createdAt: new Date(createdAt).toISOString() }
}
