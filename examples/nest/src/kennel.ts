import { HttpException, type CanActivate, type ExecutionContext } from '@nestjs/common'
import { openKennel, replyOf } from 'kennel-id'
import { createListener } from 'kennel-id/node'
import { createHandler } from 'kennel-id/web'

export const kennel = await openKennel({
  store: process.env.DATABASE_URL ?? 'sqlite:./data/app.db',
  passphrase: process.env.SECURITY_JWT_PASSPHRASE,
  publicUrl: process.env.PUBLIC_URL,
  production: process.env.NODE_ENV === 'production',
  loginLimit: '10/15m',
})
export const listener = createListener(createHandler(kennel))

/** Lets requests from logged-in callers pass; any other caller gets an error response. */
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
