import type { Ids } from '../../ports/system.ts';
import type { CredentialFormats } from '../credentials/formats.ts';
import { utf8Length } from '../foundation/bytes.ts';
import { at, DomainError, invalidField } from '../foundation/errors.ts';
import { DOCUMENT_BYTES } from '../network/document-bounds.ts';
import type { QueryPorts } from '../presentation/compiled-query.ts';
import type { PresentationDefinition } from '../presentation/exchange/definition.ts';
import { compileQuery } from '../presentation/query.ts';
import type { PolicyRequest, PolicyScope } from './policies/policy.ts';
import { readPolicies } from './policies/table.ts';
import { type RequestHeaders, type RequestOptions, readOptions } from './request-options.ts';
import { definitionFor, type RequestedCredential, readRequestedCredentials } from './requested-credentials.ts';
import type { OwnPolicies, VerificationRequest } from './verification-session.ts';

/** A request for verification as its caller wrote it. */
export interface VerifyRequest {
  headers: RequestHeaders;
  body: {
    request_credentials: unknown[];
    vp_policies?: unknown[];
    vc_policies?: unknown[];
    presentation_definition?: unknown;
    openid_profile?: string;
  };
}

/** The same, read and checked: what to ask of a wallet, and how. */
export interface ComposedRequest {
  options: RequestOptions;
  asked: Pick<VerificationRequest, 'query' | 'vpPolicies' | 'vcPolicies' | 'ownPolicies'>;
}

const DEFAULT_POLICIES = ['signature'];
const MAX_POLICIES = 128;
/** Leaves room for presentations of some hundred values, see `Verification`. */
const MAX_QUERY_COST = 2000;

/** The most JSON that one member of a request may be, and the definition made of them (decisions §12). */
const MAX_MEMBER_BYTES = DOCUMENT_BYTES['presentation-definition'];

interface WantedCredentials {
  requestedCredentials: unknown[];
  vpPolicies?: unknown[];
  vcPolicies?: unknown[];
  presentationDefinition?: unknown;
}

const IN_BODY = {
  requestedCredentials: ['body', 'request_credentials'],
  vpPolicies: ['body', 'vp_policies'],
  vcPolicies: ['body', 'vc_policies'],
  presentationDefinition: ['body', 'presentation_definition'],
};

/** Turns a caller's request into what a session is made of. */
export class RequestComposer {
  readonly #matching: QueryPorts;
  readonly #ids: Ids;

  constructor(matching: QueryPorts, ids: Ids) {
    this.#matching = matching;
    this.#ids = ids;
  }

  /** @throws DomainError `BadRequest` naming the header or the field of the body */
  async compose({ headers, body }: VerifyRequest): Promise<ComposedRequest> {
    const options = readOptions(headers, body.openid_profile);
    for (const [name, member] of Object.entries(body)) at(['body', name], () => checkSize(member));
    const wanted = {
      requestedCredentials: body.request_credentials,
      vpPolicies: body.vp_policies,
      vcPolicies: body.vc_policies,
      presentationDefinition: body.presentation_definition,
    };
    return { options, asked: await at(IN_BODY, () => this.#compose(wanted)) };
  }

  async #compose(wanted: WantedCredentials): Promise<ComposedRequest['asked']> {
    const credentials = at(['requestedCredentials'], () =>
      readOfOneFormat(wanted.requestedCredentials, this.#matching.formats),
    );
    const definition = await this.#definition(wanted, credentials);
    const { vpPolicies = DEFAULT_POLICIES, vcPolicies = DEFAULT_POLICIES } = wanted;
    const [vp, vc] = await Promise.all([
      at(['vpPolicies'], () => this.#policies(vpPolicies, 'vp')),
      at(['vcPolicies'], () => this.#policies(vcPolicies, 'vc')),
    ]);
    const ownPolicies = await at(['requestedCredentials'], () => this.#ownPolicies(credentials, definition));
    return { query: { language: 'presentation-exchange', definition }, vpPolicies: vp, vcPolicies: vc, ownPolicies };
  }

  async #definition(wanted: WantedCredentials, credentials: RequestedCredential[]): Promise<PresentationDefinition> {
    const { presentationDefinition } = wanted;
    const id = this.#ids.uuid();
    const { formats } = this.#matching;
    const located = definitionFor({ requestedCredentials: credentials, presentationDefinition, id, formats });
    const { definition, source, locate } = located;
    at([source], () => checkSize(definition));
    checkPolicyCount(wanted, credentials);
    const { cost } = await compileQuery(
      { language: 'presentation-exchange', definition },
      { ...this.#matching, locate },
    );
    if (cost > MAX_QUERY_COST) throw new DomainError('BadRequest', 'The presentation definition is too large');
    return definition;
  }

  #policies(list: readonly unknown[], scope: PolicyScope): Promise<PolicyRequest[]> {
    return readPolicies({ list, scope, at: '', schemas: this.#matching.schemas });
  }

  /** Policies that would be bound to no query are refused rather than ignored. */
  async #ownPolicies(credentials: RequestedCredential[], definition: PresentationDefinition): Promise<OwnPolicies[]> {
    const ids = new Set(definition.input_descriptors.map(({ id }) => id));
    const own = credentials.map(({ descriptor: { id }, type, policies }, index) =>
      at([index, 'policies'], async () => {
        if (!policies) return [];
        if (!ids.has(id) && type === undefined)
          throw invalidField([], `the presentation definition has no descriptor ${id.slice(0, 64)}`);
        return [{ index, queryId: id, policies: await this.#policies(policies, 'vc') }];
      }),
    );
    return (await Promise.all(own)).flat();
  }
}

function readOfOneFormat(list: readonly unknown[], formats: CredentialFormats): RequestedCredential[] {
  const credentials = readRequestedCredentials(list, formats);
  if (new Set(credentials.map(({ format }) => format)).size > 1)
    throw invalidField([], 'all credentials of one request must have the same format');
  return credentials;
}

/** A session stores all of it for up to a week, and wallets read no larger definition. */
function checkSize(member: unknown): void {
  if (utf8Length(JSON.stringify(member) ?? '') > MAX_MEMBER_BYTES)
    throw invalidField([], `must be at most ${MAX_MEMBER_BYTES} bytes of JSON`);
}

function checkPolicyCount(
  { vpPolicies = [], vcPolicies = [] }: WantedCredentials,
  credentials: RequestedCredential[],
): void {
  const own = credentials.reduce((sum, { policies = [] }) => sum + policies.length, 0);
  if (vpPolicies.length + vcPolicies.length + own > MAX_POLICIES)
    throw new DomainError('BadRequest', `There may be at most ${MAX_POLICIES} policies in one request`);
}
