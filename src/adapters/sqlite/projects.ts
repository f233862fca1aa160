import type { ProjectId } from '../../domain/project/project.js'
import type { Projects } from '../../ports/projects.js'
import type { Database } from './database.js'

const INSERT = `
  INSERT INTO projects (label, status, budget, created_by, created_at) VALUES (?, ?, ?, ?, ?)`

/** Projects; they outlive the account that made them. */
export function createProjects({ prepare, write }: Database): Projects {
  const insert = prepare(INSERT)
  return {
    insert: ({ label, status, budget }, createdBy, createdAt) =>
      write(() => {
        const made = insert.run(label, status, budget, createdBy, createdAt)
        return { id: made.lastInsertRowid as ProjectId, label, status, budget, createdBy, createdAt }
      }),
  }
}
