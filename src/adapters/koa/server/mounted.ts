import type Koa from 'koa'
import type { Context, Middleware, RequestState } from '../context.js'

type Run = (ctx: Context) => Promise<void>
/** Koa's own composition; its types leave it out. */
type Composing = Koa<RequestState> & { compose(middleware: readonly unknown[]): Run }

/**
 * Comes first in `app`. Where another application has mounted it, the context is that one's: its state,
 * its session and its trust in proxies are not ours, so the request gets a context of our own, and
 * the answer is handed over for the other one to send.
 */
export function ownContext(app: Koa<RequestState>): Middleware {
  let run: Run | undefined
  const mounted = async (ctx: Context) => {
    run ??= (app as Composing).compose(app.middleware)
    const own = app.createContext<RequestState>(ctx.req, ctx.res)
    await run(own)
    handOver(own, ctx)
  }
  return (ctx, next) => ((ctx.app as unknown) === app ? next() : mounted(ctx))
}

/** The headers are on Node's reply already; what setting the body makes of the type is taken back. */
function handOver(own: Context, ctx: Context): void {
  const type = own.response.get('Content-Type')
  ctx.status = own.status
  ctx.body = own.body
  if (type) ctx.set('Content-Type', type)
  else ctx.remove('Content-Type')
}
