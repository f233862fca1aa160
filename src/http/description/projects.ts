import * as z from 'zod'
import type { HttpSettings } from '../settings.js'
import * as refused from './refusals.js'
import { loginRequirement } from './security.js'

/** Example bodies of the project endpoints. */
export const DRAFT = { label: 'Spring adoption', status: 'planned', budget: 1200 }
export const PROJECT = { id: 1, ...DRAFT, createdBy: 1, createdAt: '2026-01-02T03:04:05.678Z' }
export const CLOSED = { ...PROJECT, closedAt: '2026-06-30T12:00:00.000Z' }

/** The description that all project endpoints share. */
export function projectEndpoint(settings: HttpSettings) {
  return {
    tag: 'project',
    security: [loginRequirement(settings)],
    refusals: { 401: refused.INVALID_TOKEN },
  } as const
}

export const projectIdParameter = z.object({
  projectId: z.string().meta({ description: 'The id of the project.', param: { example: '1' } }),
})
