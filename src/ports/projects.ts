import type { AccountId } from '../domain/identity/account.js'
import type { Instant } from '../domain/instant.js'
import type { PageLimit } from '../domain/page-limit.js'
import type { Project, ProjectDraft, ProjectId, ProjectPage } from '../domain/project/project.js'

/** Projects. Each project belongs to one account, and is kept when the account is removed. Arguments and results are copied. */
export type Projects = {
  /**
   * Returns the stored project with its ID. IDs increase and are never reused. An insert that begins after another insert was acknowledged
   * gets a greater ID; concurrent inserts may be acknowledged in any order.
   */
  insert(draft: ProjectDraft, createdBy: AccountId, createdAt: Instant): Promise<Project>
  /** Returns `undefined` if this account has not created a project with this ID. */
  find(id: ProjectId, createdBy: AccountId): Promise<Project | undefined>
  /** Returns projects of this account with IDs above `after`, ascending; see `PageOrder`. The cost depends only on the size of the page. */
  page(createdBy: AccountId, after: ProjectId | undefined, limit: PageLimit): Promise<ProjectPage>
  /**
   * Closes the project at `at`, in one write; the first of several concurrent callers sets the time. Returns the closed project, even if it
   * was closed before; returns `undefined` if this account has not created a project with this ID.
   */
  close(id: ProjectId, createdBy: AccountId, at: Instant): Promise<Project | undefined>
}
