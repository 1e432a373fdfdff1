import type { ContainerModuleLoadOptions } from 'inversify';
import type { QueryPorts } from '../domain/presentation/compiled-query.ts';
import { RequestComposer } from '../domain/verifier/request-composer.ts';
import { Verification } from '../domain/verifier/verification.ts';
import { VerificationSessions } from '../domain/verifier/verification-sessions.ts';
import {
  ClockT,
  DidResolverT,
  FormatsT,
  IdsT,
  JsonPathsT,
  JsonSchemasT,
  LogT,
  MetricsT,
  OutboundT,
  SettingsT,
  SignaturesT,
  StoreT,
  TimersT,
} from './tokens.ts';
import { provide, token } from './wire.ts';

/** What the handlers of the document `verifier` need. */
export const VerificationSessionsT = token<VerificationSessions>('verification-sessions');
const VerifierMatchingT = token<QueryPorts>('verifier-matching');
const RequestComposerT = token<RequestComposer>('request-composer');
const VerificationT = token<Verification>('verification');

/** The verifier: requests, presentations and their results. */
export function verifierModule(o: ContainerModuleLoadOptions): void {
  provide(o, VerifierMatchingT, (paths, schemas) => ({ paths, schemas }), JsonPathsT, JsonSchemasT);
  provide(o, RequestComposerT, (matching, ids) => new RequestComposer(matching, ids), VerifierMatchingT, IdsT);
  provide(
    o,
    VerificationT,
    (dids, formats, signatures, matching, outbound, log) =>
      new Verification({ dids, formats, signatures, matching, outbound, log }),
    DidResolverT,
    FormatsT,
    SignaturesT,
    VerifierMatchingT,
    OutboundT,
    LogT,
  );
  provide(
    o,
    VerificationSessionsT,
    (composer, verification, store, clock, timers, ids, outbound, metrics, log, { publicUrl }) =>
      new VerificationSessions({
        composer,
        verification,
        store,
        clock,
        timers,
        ids,
        outbound,
        metrics,
        log,
        publicUrl,
      }),
    RequestComposerT,
    VerificationT,
    StoreT,
    ClockT,
    TimersT,
    IdsT,
    OutboundT,
    MetricsT,
    LogT,
    SettingsT,
  );
}
