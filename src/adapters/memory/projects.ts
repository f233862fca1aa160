import type { ProjectId } from '../../domain/project/project.js'
import type { Projects } from '../../ports/projects.js'
import type { SyncPort } from '../../ports/wrap-port.js'

/** The port reads no project back, so the last id is all there is to keep. */
export function memoryProjects(): SyncPort<Projects> {
  let last = 0
  return {
    insert({ label, status, budget }, createdBy, createdAt) {
      last += 1
      return { id: last as ProjectId, label, status, budget, createdBy, createdAt }
    },
  }
}
