import type { IncomingMessage } from 'node:http'

/** Whether the headers of a request announce a body that is not empty. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers
  return encoding !== undefined || (length !== undefined && length !== '0')
}
