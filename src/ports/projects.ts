import type { AccountId } from '../domain/identity/account.js'
import type { Instant } from '../domain/instant.js'
import type { Project, ProjectDraft } from '../domain/project/project.js'

/** Projects. Ids increase and are never reused. */
export type Projects = {
  /** As it is kept, with its id. */
  insert(draft: ProjectDraft, createdBy: AccountId, createdAt: Instant): Promise<Project>
}
