import type { AccountId } from '../../domain/identity/account.js'
import { pageOf } from '../../domain/page-limit.js'
import type { Project, ProjectId } from '../../domain/project/project.js'
import type { Projects } from '../../ports/projects.js'
import type { Database } from './database.js'
import { mapping } from './rows.js'

export const PROJECT = mapping<Project>(
  ...(['id', 'label', 'status', 'budget', 'createdBy', 'createdAt', 'closedAt'] as const),
)

/** Stores projects. A page is a range of an index that has the same order as the list. */
export function createProjects({ prepare, read, write }: Database): Projects {
  const select = (condition: string) => prepare(`SELECT ${PROJECT.list} FROM projects WHERE ${condition}`)
  const insert = prepare(
    'INSERT INTO projects (label, status, budget, created_by, created_at) VALUES (?, ?, ?, ?, ?)',
  )
  const find = select('id = ? AND created_by = ?')
  const page = select('created_by = ? AND id > ? ORDER BY id LIMIT ?')
  const close = prepare(
    'UPDATE projects SET closed_at = ? WHERE id = ? AND created_by = ? AND closed_at IS NULL',
  )

  function findOwn(id: ProjectId, createdBy: AccountId): Project | undefined {
    const row = find.get(id, createdBy)
    return row && PROJECT.read(row)
  }

  return {
    insert: ({ label, status, budget }, createdBy, createdAt) =>
      write(() => {
        const made = insert.run(label, status, budget, createdBy, createdAt)
        return { id: made.lastInsertRowid as ProjectId, label, status, budget, createdBy, createdAt }
      }),
    find: (id, createdBy) => read(() => findOwn(id, createdBy)),
    page: (createdBy, after, limit) =>
      read(() => {
        const found = page.all(createdBy, after ?? 0, limit + 1).map(PROJECT.read)
        return pageOf('projects', found, limit)
      }),
    close: (id, createdBy, at) =>
      write(() => {
        close.run(at, id, createdBy)
        return findOwn(id, createdBy)
      }),
  }
}
