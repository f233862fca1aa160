import { withOptionalPackage } from '../../domain/optional-package.js'
import type { TokenFormat } from '../../ports/token-format.js'
import type { PasetoFormatOptions } from './token-format.js'

/**
 * PASETO v4.public: Ed25519 over claims and footer. The footer holds exactly `typ` (`at+paseto`,
 * `rt+paseto`) and `kid`. Loads the library, which is an optional package: `npm install paseto`.
 * Rejects with a Refusal `missing-package` without it, with a RangeError for a ring that cannot work.
 */
export async function createPasetoFormat(options: PasetoFormatOptions): Promise<TokenFormat> {
  const { createPasetoFormat: create } = await withOptionalPackage(
    'paseto',
    () => import('./token-format.js'),
  )
  return await create(options)
}
