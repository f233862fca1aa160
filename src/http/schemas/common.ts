import * as z from 'zod'

/** Body of every reply of the pet routes that is no success, and of paths outside the prefixes. */
export const errorSchema = z
  .strictObject({ code: z.int().meta({ format: 'int32' }), message: z.string() })
  .meta({ id: 'Error' })

export const healthSchema = z.strictObject({ status: z.enum(['ok', 'unavailable']) }).meta({ id: 'Health' })

const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f'

/** What the description says of text that may hold no control characters. */
export const PLAIN_TEXT = `^[^${CONTROL}]*$`

/** And of text of which something has to be left when the white space around it is cut off. */
export const PLAIN_TEXT_TO_TRIM = `^[^${CONTROL}]*[^\\s\\ufeff${CONTROL}][^${CONTROL}]*$`
