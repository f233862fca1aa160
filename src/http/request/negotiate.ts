import Negotiator from 'negotiator'
import type { Exchange } from '../exchange.js'
import { HttpError } from '../reply/http-error.js'

/** Everything that the service says is JSON: 406 to a client that takes only something else. */
export function negotiate({ request }: Exchange): void {
  const accept = request.header('accept') ?? ''
  if (accept === '' || accept === '*/*' || accept === 'application/json') return
  if (new Negotiator({ headers: { accept } }).mediaType(['application/json']) === undefined)
    throw new HttpError(406, 'Only application/json can be sent.')
}

/** Whether a client takes a body that is packed with gzip. */
export function takesGzip(acceptEncoding: string | undefined): boolean {
  const headers = { 'accept-encoding': acceptEncoding }
  return new Negotiator({ headers }).encoding(['gzip', 'identity']) === 'gzip'
}
