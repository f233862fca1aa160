import { z } from 'zod'

/** Body of every reply of the pet routes that is no success, and of paths outside the prefixes. */
export const errorSchema = z
  .strictObject({ code: z.int().meta({ format: 'int32' }), message: z.string() })
  .meta({ id: 'Error' })

export const healthSchema = z.strictObject({ status: z.enum(['ok', 'unavailable']) }).meta({ id: 'Health' })
