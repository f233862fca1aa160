import { pageOf } from '../../domain/page-limit.js'
import type { ProjectId } from '../../domain/project/project.js'
import type { Projects } from '../../ports/projects.js'
import { PROJECT } from './records.js'
import type { Statements } from './statements.js'

/** Stores projects. Each page is a range of an index that has the same order as the list. */
export function createProjects({ read, write }: Statements): Projects {
  const select = (condition: string) => read(`SELECT ${PROJECT.list} FROM {projects} WHERE ${condition}`)
  const insert = write<readonly [id: ProjectId]>(
    `INSERT INTO {projects} (label, status, budget, created_by, created_at) VALUES (?, ?, ?, ?, ?) RETURNING id`,
  )
  const find = select('id = ? AND created_by = ?')
  const page = select('created_by = ? AND id > ? ORDER BY id LIMIT ?')
  const close = write(
    `UPDATE {projects} SET closed_at = coalesce(closed_at, ?) WHERE id = ? AND created_by = ? RETURNING ${PROJECT.list}`,
  )

  return {
    insert: async ({ label, status, budget }, createdBy, createdAt) => {
      const [id] = (await insert.get(label, status, budget, createdBy, createdAt)) ?? []
      return { id: id as ProjectId, label, status, budget, createdBy, createdAt }
    },
    find: async (id, createdBy) => {
      const row = await find.get(id, createdBy)
      return row && PROJECT.read(row)
    },
    page: async (createdBy, after, limit) => {
      const found = await page.all(createdBy, after ?? 0, limit + 1)
      return pageOf('projects', found.map(PROJECT.read), limit)
    },
    close: async (id, createdBy, at) => {
      const row = await close.get(at, id, createdBy)
      return row && PROJECT.read(row)
    },
  }
}
