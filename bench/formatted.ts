import { format, resolveConfig } from 'prettier'

/** The text of a file as `npm run format` leaves it. */
export async function formatted(text: string, file: string): Promise<string> {
  return await format(text, { ...(await resolveConfig(file)), filepath: file })
}
