import { api, ask, type Outcome } from '../../shell/api.ts';
import { work } from '../../shell/office.tsx';
import type { Offer, OfferRequest, Profile, Session } from './values.ts';

/** The target of an issuer of a unit; undefined is the open issuer of this server. */
export type Issuer = string | undefined;

/** What the issuer can offer. */
export const readProfiles = (issuer: Issuer): Promise<Outcome<Profile[]>> =>
  issuer === undefined
    ? ask(api.GET('/issuer2/profiles'))
    : work(ask(api.GET('/v2/{target}/issuer-service-api/profiles', { params: { path: { target: issuer } } })));

export const createOffer = (issuer: Issuer, body: OfferRequest): Promise<Outcome<Offer>> =>
  issuer === undefined
    ? ask(api.POST('/issuer2/credential-offers', { body }))
    : work(
        ask(
          api.POST('/v2/{target}/issuer-service-api/credential-offers', { params: { path: { target: issuer } }, body }),
        ),
      );

export const readSession = (issuer: Issuer, sessionId: string): Promise<Outcome<Session>> =>
  issuer === undefined
    ? ask(api.GET('/issuer2/sessions/{sessionId}', { params: { path: { sessionId } } }))
    : work(
        ask(
          api.GET('/v2/{target}/issuer-service-api/sessions/{sessionId}', {
            params: { path: { target: issuer, sessionId } },
          }),
        ),
      );

/** Opens the stream of the events of a session. */
export const eventsOf = (issuer: Issuer, sessionId: string) => (last: string, signal: AbortSignal) => {
  const header = { 'Last-Event-ID': last };
  const more = { parseAs: 'stream', signal } as const;
  return issuer === undefined
    ? api.GET('/issuer2/sessions/{sessionId}/events', { params: { path: { sessionId }, header }, ...more })
    : api.GET('/v2/{target}/issuer-service-api/sessions/{sessionId}/events', {
        params: { path: { target: issuer, sessionId }, header },
        ...more,
      });
};
