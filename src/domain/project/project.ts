import type { AccountId } from '../identity/account.js'
import type { Instant } from '../instant.js'
import { accepted, broken, type Parsed, plainText, positiveIntegerIn } from '../parsed.js'

/** The ID of a project: a positive, increasing number that the store assigns and never reuses. */
export type ProjectId = number & { readonly brand: 'ProjectId' }
/** 1 to 200 characters, no control characters. */
export type ProjectText = string & { readonly brand: 'ProjectText' }
/** A finite, non-negative number; an integer is at most 2^53 - 1. */
export type Budget = number & { readonly brand: 'Budget' }

/** A project that has no ID yet; the store assigns the ID later. */
export type ProjectDraft = {
  readonly label: ProjectText
  readonly status: ProjectText
  readonly budget: Budget
}
/** A project and the account that created it. */
export type Project = ProjectDraft & {
  readonly id: ProjectId
  readonly createdBy: AccountId
  readonly createdAt: Instant
  /** Absent while the project is open. */
  readonly closedAt?: Instant
}

/** Projects in ascending order of ID. The next page starts after `next`, which is absent on the last page. */
export type ProjectPage = { readonly projects: readonly Project[]; readonly next?: ProjectId }

export const PROJECT_TEXT_MAX = 200

export function projectId(text: string): ProjectId | undefined {
  return positiveIntegerIn(text) as ProjectId | undefined
}

export function projectText(text: string): Parsed<ProjectText> {
  return plainText(text, PROJECT_TEXT_MAX) as Parsed<ProjectText>
}

export function budget(value: number): Parsed<Budget> {
  // An integer beyond 2^53 - 1 may have been rounded.
  const isExact = !Number.isInteger(value) || Number.isSafeInteger(value)
  return Number.isFinite(value) && value >= 0 && isExact
    ? accepted(value as Budget)
    : broken('NotValid', 'must be a finite, non-negative number; an integer must be at most 2^53 - 1')
}
