import type { EventWatches } from '../../../domain/events/event-watches.ts';
import { at, DomainError } from '../../../domain/foundation/errors.ts';
import { isoMillis } from '../../../domain/foundation/time.ts';
import type { AttributeTables, TableFacts } from '../../../domain/issuer/attributes/attribute-tables.ts';
import type { CredentialIssuer } from '../../../domain/issuer/credential-issuer.ts';
import type { IssuanceProfile } from '../../../domain/issuer/issuance-profile.ts';
import type { Recipients } from '../../../domain/issuer/issued/recipients.ts';
import { createOffer } from '../../../domain/issuer/openid4vci/draft13.ts';
import { createOfferUrl, createValueUrl } from '../../../domain/issuer/openid4vci/v1.ts';
import type { DemoSigner } from '../../../domain/issuer/profiles/demo-signer.ts';
import {
  type ProfileOffer,
  type ProfileOfferRequest,
  type ProfileOffers,
  profileNamed,
  profilesOf,
} from '../../../domain/issuer/profiles/profile-offers.ts';
import { profileView } from '../../../domain/issuer/profiles/profile-view.ts';
import type { IssuanceSessionRepository } from '../../../domain/issuer/sessions/session-repository.ts';
import { sessionDetails, storedView } from '../../../domain/issuer/sessions/session-view.ts';
import { boundedLife } from '../../../domain/limits/lifetimes.ts';
import { type PageLimits, readPage } from '../../../domain/limits/pagination.ts';
import type { components } from '../../../openapi/types.ts';
import { type Caller, type Handlers, NO_STORE, reply } from '../messages/operations.ts';
import type { OfIssuer } from './openid4vci-authorization.ts';

/** What the handlers of the document `issuer2` need. */
export interface Issuer2Services {
  profileOffers: ProfileOffers;
  demoSigner: DemoSigner;
  sessions: IssuanceSessionRepository;
  tables: AttributeTables;
  recipients: Pick<Recipients, 'ofSession' | 'ofRecord'>;
  /** The readers of the events of issuance sessions. */
  watches: EventWatches;
  pages: PageLimits;
}

/** The management of issuance of OpenID4VCI 1.0: profiles, offers and sessions. */
export const issuer2Handlers = (services: Issuer2Services): Handlers<'issuer2', OfIssuer> => ({
  ...profileHandlers(services),
  ...sessionHandlers(services),
  ...tableHandlers(services),
});

const profileHandlers = ({ profileOffers, demoSigner }: Issuer2Services) => {
  const shown = async (profile: IssuanceProfile) => ({
    ...profileView(profile),
    ...(profile.hasDemoSigner && (await demoSigner.known())),
  });
  return {
    listIssuanceProfiles: reply(200, ({ issuer }) => Promise.all(profilesOf(issuer).map(shown))),
    getIssuanceProfile: reply(200, ({ issuer, path }) => shown(profileNamed(issuer, path.profileId))),
    createCredentialOffer: async ({ issuer, body, caller }) => {
      const offer = await at(['body'], () => profileOffers.create(issuer, offerRequest(body, caller)));
      return { status: 201, headers: NO_STORE, body: offerView(issuer, body, offer) };
    },
    createCredentialOffersInBulk: async ({ issuer, body: lines, caller }) => ({
      status: 200,
      lines: lines.answered(async (body) => {
        const offer = await at(['body'], () => profileOffers.createOnce(issuer, offerRequest(body, caller)));
        return { status: 201, offer: offerView(issuer, body, offer) };
      }),
    }),
  } satisfies Partial<Handlers<'issuer2', OfIssuer>>;
};

type WrittenRequest = components['schemas']['CredentialOfferRequest'];

function offerRequest(
  { txCode: code, valueMode: _, ...request }: WrittenRequest,
  { longestSeconds }: Caller,
): ProfileOfferRequest {
  const { expiresInSeconds } = request;
  const txCode = code && { inputMode: code.input_mode, length: code.length, description: code.description };
  if (expiresInSeconds === undefined) return { ...request, txCode };
  const life = at(['expiresInSeconds'], () => boundedLife(expiresInSeconds, longestSeconds));
  return { ...request, expiresInSeconds: life, txCode };
}

function offerView(
  issuer: CredentialIssuer,
  { valueMode, authMethod, issuerStateMode }: WrittenRequest,
  offer: ProfileOffer,
) {
  const { id: offerId, profileId, expiresAt, txCodeValue, session, reference } = offer;
  const credentialOffer =
    valueMode === 'BY_VALUE' ? createValueUrl(createOffer(issuer, session)) : createOfferUrl(issuer, reference);
  const shown = { offerId, profileId, authMethod, expiresAt, txCodeValue, credentialOffer };
  return authMethod === 'AUTHORIZED' ? { ...shown, issuerStateMode: issuerStateMode ?? ('INCLUDE' as const) } : shown;
}

const tableHandlers = ({ tables }: Issuer2Services) => {
  const view = (tableId: string, { importedAt, ...facts }: TableFacts) => ({
    tableId,
    ...facts,
    importedDateTime: isoMillis(importedAt),
  });
  return {
    replaceAttributeTable: async ({ issuer, path: { tableId }, query, body: csv }) => {
      const written = { csv, keyColumn: query.key };
      const places = { csv: ['body'], key: ['query', 'key'], id: ['path', 'tableId'] };
      return { status: 200, body: view(tableId, await at(places, () => tables.replace(issuer, tableId, written))) };
    },
    getAttributeTable: reply(200, async ({ issuer, path: { tableId } }) =>
      view(tableId, await tables.get(issuer, tableId)),
    ),
    deleteAttributeTable: async ({ issuer, path }) => {
      await tables.remove(issuer, path.tableId);
      return { status: 204 };
    },
  } satisfies Partial<Handlers<'issuer2', OfIssuer>>;
};

const sessionHandlers = ({ sessions, recipients, watches, pages }: Issuer2Services) =>
  ({
    listIssuanceSessions: async ({ issuer, query }) => {
      const page = await query((texts) => readPage(texts, { ...pages, sortable: true }));
      return { status: 200, body: (await sessions.list(issuer, page)).map((one) => storedView(issuer, one)) };
    },
    getIssuanceSession: async ({ issuer, path }) => {
      const session = await sessions.get(issuer, path.sessionId);
      if (!session) throw new DomainError('NotFound', 'There is no such session');
      return { status: 200, body: sessionDetails(issuer, session) };
    },
    deleteIssuanceRecipient: async ({ issuer, path }) => {
      await recipients.ofSession(issuer, path.sessionId);
      return { status: 204 };
    },
    streamIssuanceSessionEvents: async ({ issuer, path, query, headers }) => {
      const known = headers['last-event-id'];
      const place = known === undefined ? ['query', 'lastEventId'] : ['header', 'Last-Event-ID'];
      const after = Number(known ?? query.lastEventId ?? 0);
      return {
        status: 200,
        events: await at({ after: place }, () => watches.open(sessions.historyOf(issuer, path.sessionId), after)),
      };
    },
  }) satisfies Partial<Handlers<'issuer2', OfIssuer>>;
