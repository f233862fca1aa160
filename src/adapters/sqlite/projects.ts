import type { AccountId } from '../../domain/identity/account.js'
import type { Instant } from '../../domain/instant.js'
import type { Budget, Project, ProjectId, ProjectText } from '../../domain/project/project.js'
import type { Projects } from '../../ports/projects.js'
import type { Database } from './database.js'

export const PROJECT_COLUMNS = 'id, label, status, budget, created_by, created_at, closed_at'

export type ProjectRow = readonly [
  id: ProjectId,
  label: ProjectText,
  status: ProjectText,
  budget: Budget,
  createdBy: AccountId,
  createdAt: Instant,
  closedAt: Instant | null,
]

const INSERT = `
  INSERT INTO projects (label, status, budget, created_by, created_at) VALUES (?, ?, ?, ?, ?)`

const PAGE = `
  SELECT ${PROJECT_COLUMNS} FROM projects WHERE created_by = ? AND id > ? ORDER BY id LIMIT ?`

const CLOSE = 'UPDATE projects SET closed_at = ? WHERE id = ? AND created_by = ? AND closed_at IS NULL'

/** Projects; they outlive the account that made them. A page is a range of an index that has its order. */
export function createProjects({ prepare, read, write }: Database): Projects {
  const insert = prepare(INSERT)
  const find = prepare<ProjectRow>(`SELECT ${PROJECT_COLUMNS} FROM projects WHERE id = ? AND created_by = ?`)
  const page = prepare<ProjectRow>(PAGE)
  const close = prepare(CLOSE)

  function own(id: ProjectId, createdBy: AccountId): Project | undefined {
    const row = find.get(id, createdBy)
    return row && projectOf(row)
  }

  return {
    insert: ({ label, status, budget }, createdBy, createdAt) =>
      write(() => {
        const made = insert.run(label, status, budget, createdBy, createdAt)
        return { id: made.lastInsertRowid as ProjectId, label, status, budget, createdBy, createdAt }
      }),
    find: (id, createdBy) => read(() => own(id, createdBy)),
    page: (createdBy, after, limit) =>
      read(() => {
        const rows = page.all(createdBy, after ?? 0, limit + 1)
        const projects = rows.slice(0, limit).map(projectOf)
        const last = projects.at(-1)
        return rows.length > limit && last ? { projects, next: last.id } : { projects }
      }),
    close: (id, createdBy, at) =>
      write(() => {
        close.run(at, id, createdBy)
        return own(id, createdBy)
      }),
  }
}

export function projectOf(row: ProjectRow): Project {
  const [id, label, status, budget, createdBy, createdAt, closedAt] = row
  return { id, label, status, budget, createdBy, createdAt, ...(closedAt !== null && { closedAt }) }
}
