import { nextId } from '../state.js'

/**
 * @param {import('../state.js').State} state
 * @returns {import('../state.js').SyncPort<import('kennel-id/ports').Projects>}
 */
export function projectsOf(state) {
  const own = (/** @type {number} */ id, /** @type {number} */ createdBy) =>
    state.projects.find((one) => one.id === id && one.createdBy === createdBy)

  return {
    insert(draft, createdBy, createdAt) {
      const project = { ...draft, id: nextId(state, 'projects'), createdBy, createdAt }
      state.projects.push(project)
      return project
    },
    find: own,
    // The projects are stored in the order of their ids.
    page(createdBy, after = /** @type {any} */ (0), limit) {
      const found = state.projects.filter((one) => one.createdBy === createdBy && one.id > after)
      const projects = found.slice(0, limit)
      const last = projects.at(-1)
      return found.length > limit && last ? { projects, next: last.id } : { projects }
    },
    close(id, createdBy, at) {
      const project = own(id, createdBy)
      if (project) project.closedAt ??= at
      return project
    },
  }
}
