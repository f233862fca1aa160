import type { AccountId } from '../domain/identity/account.js'
import type { Instant } from '../domain/instant.js'
import type { PageLimit } from '../domain/page-limit.js'
import type { Project, ProjectDraft, ProjectId, ProjectPage } from '../domain/project/project.js'

/** Projects; each belongs to one account and outlives it. Arguments and answers are copied. */
export type Projects = {
  /**
   * Returns the stored project with its ID. IDs increase and are never reused: an insert that begins after another was
   * acknowledged gets the greater ID; concurrent inserts may be acknowledged in any order.
   */
  insert(draft: ProjectDraft, createdBy: AccountId, createdAt: Instant): Promise<Project>
  /** `undefined` if this account has made no such project. */
  find(id: ProjectId, createdBy: AccountId): Promise<Project | undefined>
  /**
   * Projects of this account, ascending by ID, after `after`; see `PageOrder`. The cost depends only on the page, not
   * on its depth or on the projects of other accounts.
   */
  page(createdBy: AccountId, after: ProjectId | undefined, limit: PageLimit): Promise<ProjectPage>
  /**
   * Closes the project at `at`, in one write; the first of several concurrent callers sets the moment. Returns the
   * project as it is then, also if it was closed before; `undefined` if this account has made no such project.
   */
  close(id: ProjectId, createdBy: AccountId, at: Instant): Promise<Project | undefined>
}
