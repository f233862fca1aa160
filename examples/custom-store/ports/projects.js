import { nextId } from '../state.js'

/**
 * @param {import('../state.js').State} state
 * @returns {import('../state.js').SyncPort<import('kennel-id/ports').Projects>}
 */
export function projectsOf(state) {
  return {
    insert(draft, createdBy, createdAt) {
      const project = { ...draft, id: nextId(state, 'projects'), createdBy, createdAt }
      state.projects.push(project)
      return project
    },
  }
}
