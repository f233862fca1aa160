import * as z from 'zod'

/** Body of failures of the pet routes and of paths outside `/api`. */
export const errorSchema = z
  .strictObject({ code: z.int().meta({ format: 'int32' }), message: z.string() })
  .meta({ id: 'Error' })

export const healthSchema = z.strictObject({ status: z.enum(['ok', 'unavailable']) }).meta({ id: 'Health' })

const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f'

/** Pattern of text without control characters. */
export const PLAIN_TEXT = `^[^${CONTROL}]*$`

/** `PLAIN_TEXT` that is not empty after trimming. */
export const PLAIN_TEXT_TO_TRIM = `^[^${CONTROL}]*[^\\s\\ufeff${CONTROL}][^${CONTROL}]*$`
