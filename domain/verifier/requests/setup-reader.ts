import type { Certificates } from '../../../ports/certificates.ts';
import type { RequestedDocument } from '../../../ports/codecs/mdoc-requests.ts';
import type { Outbound } from '../../../ports/outbound.ts';
import type { Clock, Ids } from '../../../ports/system.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { checkDestination } from '../../network/urls.ts';
import { type DcqlQuery, readDcqlQuery } from '../../presentation/dcql/query.ts';
import type { PresentationDefinition } from '../../presentation/exchange/definition.ts';
import { type AuthoritySource, MAX_QUERY_COST, type QueryPorts } from '../../presentation/matching/compiled-query.ts';
import { compileQuery, type PresentationQuery } from '../../presentation/query.ts';
import type { IssuerTrust } from '../../trust/issuer-trust.ts';
import { parseClientId } from '../openid4vp/client-ids.ts';
import { readAuthorizeBaseUrl } from '../openid4vp/draft20-requests.ts';
import { checkHaip } from '../openid4vp/haip.ts';
import type { PolicyPorts } from '../policies/policy.ts';
import { readPolicies } from '../policies/read.ts';
import type { SessionClient, SessionLogin, SessionWebhook, V1Setup } from '../protocol.ts';
import type { Verifier } from '../verifier.ts';
import { checkRegistered, registrationOf } from './registered-request.ts';
import type { RequestSigning } from './request-signing.ts';
import { outlineOf, readOwnDefinition } from './requested-credentials.ts';
import { queryOf, readRequestedElements } from './requested-elements.ts';
import { readLogin } from './session-login.ts';
import { readSessionPolicies } from './session-policies.ts';
import type { WrittenSetup } from './setup.ts';
import {
  checkFlow,
  checkFormats,
  flowOf,
  readClientMetadata,
  readExpiry,
  readPlaces,
  readVerifierInfo,
  readWebhook,
} from './setup-reading.ts';
import { readTransactions } from './transactions.ts';

/** Knows which kinds of authorities a query may name. */
interface Authorities {
  /** @throws DomainError `BadRequest` naming the authority */
  checkAuthorities(query: DcqlQuery): void;
}

/** A setup that was read. */
export interface ReadSetup extends V1Setup {
  /** The URL above the endpoints for the wallet. */
  baseUrl: string;
  /** Of the flow `dc_api_18013_7` alone. */
  documents?: RequestedDocument[];
  /** In place of a query. */
  definition?: PresentationDefinition;
}

/** What a setup asks for. */
type AskedSetup = Pick<ReadSetup, 'query' | 'dcqlQuery' | 'documents' | 'definition'>;

/** Whether wallets ignore the metadata in a request, and with them the key of the session (OpenID4VP 1.0 §5.9.3). */
const isOfFederation = ({ clientId }: SessionClient): boolean =>
  clientId !== undefined && parseClientId(clientId).prefix === 'openid_federation';

/** Where the configuration of a verifier has what a session has under other names. */
const SIGNING_PLACES = { key: ['signingKey'], signed_request: ['clientId'] };

/** The members of a setup that say what is asked for, of which each flow has one. */
const ASKING = ['requestedElements', 'presentation_definition', 'dcql_query'] as const;

/** Reads what a session asks for. */
export class SetupReader {
  constructor(
    private readonly parts: QueryPorts &
      PolicyPorts & {
        signing: RequestSigning;
        trust: AuthoritySource & Authorities & Pick<IssuerTrust, 'readRoots'>;
        certificates: Certificates;
        outbound: Outbound;
        clock: Clock;
        ids: Ids;
      },
  ) {}

  /** @throws DomainError `BadRequest` or `AddressRefused` naming the member; as `KeyBackends.read` */
  async read(verifier: Verifier, setup: WrittenSetup, id: string): Promise<ReadSetup> {
    const { core_flow: flow, haip: isHaip = false, openid = {} } = setup;
    checkFlow(setup);
    const { isOverDcApi, comesBack } = flowOf(setup);
    const login = at(['openid'], () => readLogin(setup));
    const { walletUrl, ...places } = readPlaces(setup, {
      walletUrl: verifier.walletUrl,
      baseUrl: await verifier.baseUrl(),
    });
    const { query, ...asked } = await at(['core_flow'], () => this.#asked(setup));
    const client = await at(['core_flow'], () => this.parts.signing.client(flow, verifier, isHaip));
    const isEncrypted = flow.encrypted_response === true;
    checkClient(client, { isEncrypted, login, documents: asked.documents });
    const { formats } = this.parts;
    const { transactionData: transactions } = openid;
    if (isHaip) checkHaip({ query, formats, ...client, isEncrypted, isOverDcApi });
    const facts = await at(['core_flow'], () => this.#facts(verifier, setup, { query, id, login }));
    const { verifierInfo } = facts;
    const member = ASKING.find((name) => flow[name] !== undefined) ?? 'dcql_query';
    at(['core_flow'], () => checkRegistered({ ...client, query, member, verifierInfo }, this.parts));
    const options = { query, formats, profiles: verifier.transactionDataProfiles };
    return {
      verifierId: verifier.id,
      flow: setup.flow_type,
      ...(setup.response_code === true && !comesBack && { showsCode: true }),
      isHaip,
      query,
      ...asked,
      ...places,
      ...client,
      walletUrl: isOverDcApi ? undefined : walletUrl,
      ...facts,
      login,
      transactionData: transactions && at(['openid', 'transactionData'], () => readTransactions(transactions, options)),
    };
  }

  /** Checks what a verifier gives its sessions. @throws DomainError `BadRequest` naming the member of its configuration */
  async check(verifier: Verifier, given: { isSigning: boolean }): Promise<void> {
    const { walletUrl, clientMetadata = {}, clientId, verifierInfo } = verifier;
    at(['urlHost'], () => readAuthorizeBaseUrl(walletUrl));
    at(['clientMetadata'], () => readClientMetadata(clientMetadata, { credentials: [], formats: this.parts.formats }));
    if (clientId !== undefined) at(['clientId'], () => parseClientId(clientId));
    at(['verifierInfo'], () => registrationOf(verifierInfo));
    await at(['vcPolicies'], async () => {
      const list = await verifier.listedPolicies(undefined);
      await readPolicies({ list, scope: 'vc', ports: this.parts });
    });
    if (given.isSigning) await at(SIGNING_PLACES, () => this.parts.signing.check(verifier));
  }

  async #asked({ core_flow: flow, ...setup }: WrittenSetup): Promise<AskedSetup> {
    const { dcql_query: written, requestedElements: elements, presentation_definition: definition } = flow;
    if (flowOf(setup).isForMdocs) {
      if (!elements) throw invalidField(['requestedElements'], 'is required for this flow');
      const documents = at(['requestedElements'], () => readRequestedElements(elements));
      const query = queryOf(documents);
      await at(['requestedElements'], () => this.#checkCost({ language: 'dcql', query }));
      return { query, dcqlQuery: {}, documents };
    }
    if (definition) return at(['presentation_definition'], () => this.#definition(definition));
    if (!written) throw invalidField(['dcql_query'], 'is required for this flow');
    return { query: await at(['dcql_query'], () => this.#query(written)), dcqlQuery: written };
  }

  async #query(written: JsonObject): Promise<DcqlQuery> {
    const { formats } = this.parts;
    const query = readDcqlQuery(written, formats);
    checkFormats(query, formats);
    this.parts.trust.checkAuthorities(query);
    await this.#checkCost({ language: 'dcql', query });
    return query;
  }

  async #definition(written: JsonObject): Promise<AskedSetup> {
    const { formats, ids } = this.parts;
    const definition = readOwnDefinition({ presentationDefinition: written, id: ids.uuid(), formats });
    await this.#checkCost({ language: 'presentation-exchange', definition });
    return { query: outlineOf(definition, formats), dcqlQuery: {}, definition };
  }

  async #checkCost(query: PresentationQuery): Promise<void> {
    const { cost } = await compileQuery(query, this.parts);
    if (cost > MAX_QUERY_COST) throw invalidField([], 'is too large');
  }

  async #facts(
    verifier: Verifier,
    { core_flow: flow }: WrittenSetup,
    given: { query: DcqlQuery; id: string; login: SessionLogin | undefined },
  ) {
    const { query, id, login } = given;
    const { notifications, policies: written = {} } = flow;
    const { client_metadata: metadata = verifier.clientMetadata ?? {}, verifier_info: own } = flow;
    const { trusted_root_cas: roots } = flow;
    return {
      verifierInfo: at(['verifier_info'], () => readVerifierInfo(own ?? verifier.verifierInfo, query)),
      webhook: notifications && at(['notifications', 'webhook'], () => this.#webhook(notifications.webhook, id)),
      expiresAt: readExpiry(flow, this.parts.clock.now()),
      clientMetadata: at(['client_metadata'], () =>
        readClientMetadata(metadata, { ...query, login, formats: this.parts.formats }),
      ),
      policies: await at(['policies'], () => readSessionPolicies(written, { query, ports: this.parts, verifier })),
      trustedRoots: roots && at(['trusted_root_cas'], () => this.parts.trust.readRoots(roots)),
    };
  }

  #webhook(written: Parameters<typeof readWebhook>[0], id: string): SessionWebhook {
    const webhook = readWebhook(written, id);
    at(['url'], () => checkDestination(this.parts.outbound, { url: webhook.url, expects: 'callback-reply' }));
    return webhook;
  }
}

/** Checks that wallets can know who asks, and read what the request says. @throws DomainError `BadRequest` naming the member */
function checkClient(
  client: SessionClient,
  { isEncrypted, login, documents }: { isEncrypted: boolean } & Pick<ReadSetup, 'login' | 'documents'>,
): void {
  if (documents && client.signing && !client.signing.header.x5c)
    throw invalidField(['core_flow', 'x5c'], 'is required: a wallet knows who asks by its certificates');
  if (login?.signingAlg !== undefined && isOfFederation(client))
    throw invalidField(
      ['openid', 'id_token_signed_response_alg'],
      'must be left out: a wallet reads it from the metadata of the federation, which have none',
    );
  if (isEncrypted && isOfFederation(client))
    throw invalidField(
      ['core_flow', 'encrypted_response'],
      'must be false: a wallet reads the keys of responses from the metadata of the federation, which have none',
    );
}
