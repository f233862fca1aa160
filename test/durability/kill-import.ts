import type { Workplace } from '../cli/app.js'
import { killCommand } from './kill-command.js'

/** Runs `app user import` of a file, and SIGKILLs it as soon as it has begun to save, unless it ends before. */
export async function killImport(
  place: Pick<Workplace, 'folder' | 'env'>,
  file: string,
  hasBegun: () => Promise<boolean>,
): Promise<void> {
  await killCommand(place, ['user', 'import', file], hasBegun)
}
