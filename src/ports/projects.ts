import type { AccountId } from '../domain/identity/account.js'
import type { Instant } from '../domain/instant.js'
import type { PageLimit } from '../domain/page-limit.js'
import type { Project, ProjectDraft, ProjectId, ProjectPage } from '../domain/project/project.js'

/** Projects, each of one account, which it outlives. What is handed out and what is kept is a copy. */
export type Projects = {
  /**
   * As it is kept, with its id. Ids increase and are never reused; a project whose insert is begun after another was
   * acknowledged has the greater id, while of inserts at once any may be acknowledged first.
   */
  insert(draft: ProjectDraft, createdBy: AccountId, createdAt: Instant): Promise<Project>
  /** `undefined` where this account has made no such project. */
  find(id: ProjectId, createdBy: AccountId): Promise<Project | undefined>
  /**
   * Those that this account has made, ascending by id, after `after`; see `PageOrder` for what a walk shows. The cost is
   * the page's, never its depth's nor that of the projects of others.
   */
  page(createdBy: AccountId, after: ProjectId | undefined, limit: PageLimit): Promise<ProjectPage>
  /**
   * Closes it at this moment, in one write: of any number of callers at once the first one's moment is kept. The project as it
   * is then, also where it was closed before; `undefined` where this account has made no such project.
   */
  close(id: ProjectId, createdBy: AccountId, at: Instant): Promise<Project | undefined>
}
