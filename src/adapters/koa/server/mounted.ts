import type Koa from 'koa'
import type { Context, RequestState } from '../context.js'
import type { MountingContext } from '../service.js'

type Run = (ctx: Context) => Promise<void>
/** Koa's own composition; its types leave it out. */
type Composing = Koa<RequestState> & { compose(middleware: readonly unknown[]): Run }

/**
 * A middleware for another application. The context is that one's: its state, its session and its trust in proxies are
 * not ours, so the request gets a context of our own, and the answer is handed over for the other one to send.
 */
export function mountable(app: Koa<RequestState>): (context: MountingContext) => Promise<void> {
  const run = (app as Composing).compose(app.middleware)
  return async (context) => {
    const own = app.createContext<RequestState>(context.req, context.res)
    await run(own)
    handOver(own, context)
  }
}

/** The headers are on Node's reply already; what setting the body makes of the type is taken back. */
function handOver(own: Context, ctx: MountingContext): void {
  const type = own.response.get('Content-Type')
  ctx.status = own.status
  ctx.body = own.body
  if (type) ctx.set('Content-Type', type)
  else ctx.remove('Content-Type')
}
