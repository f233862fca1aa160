import type { Identity } from '../../../domain/access/caller.js'
import { refuse } from '../../../domain/refusal.js'
import type { Presented } from '../presented.js'

/** The row of an operation that stateless mode cannot do. It refuses with `forbidden` a caller who is logged in. */
export function refusedOperation(message: string, detail: string) {
  type Parts = { readonly authenticate: (presented: Presented) => Promise<Identity> }
  return {
    factory:
      ({ authenticate }: Parts) =>
      async ({ presented }: { readonly presented: Presented }): Promise<never> => {
        await authenticate(presented)
        throw refuse('forbidden', 'Forbidden', message, detail)
      },
    parts: ['authenticate'],
  } as const
}
