import { HttpException, type CanActivate, type ExecutionContext } from '@nestjs/common'
import { openKennel, replyOf } from 'kennel-id'
import { createLog } from 'kennel-id/pino'
import { createHandler } from 'kennel-id/web'
import { toNodeHandler } from 'srvx/node'

export const kennel = await openKennel({
  store: process.env.DATABASE_URL ?? 'sqlite:./data/app.db',
  passphrase: process.env.SECURITY_JWT_PASSPHRASE ?? '',
  publicUrl: process.env.PUBLIC_URL ?? '',
  production: process.env.NODE_ENV === 'production',
})
const serve = createHandler(kennel, { log: createLog({ level: 'warn', pretty: false }) })
export const listener = toNodeHandler((sent: Request & { ip?: string }) => serve(sent, { address: sent.ip }))

/** Lets a request by whose caller is logged in; all others get the refusal. */
export class LoggedIn implements CanActivate {
  async canActivate(context: ExecutionContext) {
    const [request, response] = context.getArgs()
    request.identity = await kennel.identify(request).catch((error: unknown) => {
      const { status, headers, body } = replyOf(error)
      response.set(headers)
      throw new HttpException(body, status)
    })
    return true
  }
}
