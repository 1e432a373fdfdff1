import Koa from 'koa';
import { isObject } from '../../../domain/foundation/json.ts';
import type { Log } from '../../../ports/log.ts';
import type { Tracing } from '../../../ports/tracing.ts';
import type { RequestState } from './context.ts';
import { allowOrigins } from './cors.ts';
import { answerProblems, identifyRequest, logAccess, type RequestMetrics, traceRequest } from './middleware.ts';
import { belowPrefix } from './public-prefix.ts';
import { Routing, refuseUnrouted } from './routing.ts';
import { type RouteParts, routeSteps } from './steps.ts';

/** What the application is made of. */
interface ApplicationParts extends RouteParts {
  log: Log;
  metrics: RequestMetrics;
  tracing: Tracing;
}

/** The Koa application. @throws Error when an operation has no handler, or names a limit that does not exist */
export function buildApplication(parts: ApplicationParts): Koa<RequestState> {
  const { log, contract, origins } = parts;
  const routing = new Routing(contract.operations, routeSteps(parts));
  const app = new Koa<RequestState>();
  // The way of every request; the steps of a routed one are in steps.ts.
  for (const step of [
    traceRequest(parts.tracing),
    identifyRequest,
    logAccess(parts),
    answerProblems(log),
    belowPrefix(origins.publicUrl, contract.operations),
    allowOrigins(routing, origins.corsOrigins),
    routing.dispatch,
    refuseUnrouted,
  ])
    app.use(step);
  app.on('error', (error: unknown) => {
    // A client that leaves a stream is no failure.
    const isLeft = isObject(error) && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
    if (!isLeft) log.warn('connection failed', { error: String(error) });
  });
  return app;
}
