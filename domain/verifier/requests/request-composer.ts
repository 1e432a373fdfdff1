import { DOCUMENTS } from '../../../ports/documents.ts';
import type { Outbound } from '../../../ports/outbound.ts';
import type { Ids } from '../../../ports/system.ts';
import { utf8Length } from '../../foundation/bytes.ts';
import { at, DomainError, invalidField } from '../../foundation/errors.ts';
import { checkDestination } from '../../network/urls.ts';
import type { PresentationDefinition } from '../../presentation/exchange/definition.ts';
import { MAX_QUERY_COST, type QueryPorts } from '../../presentation/matching/compiled-query.ts';
import { compileQuery } from '../../presentation/query.ts';
import type { IssuerTrust } from '../../trust/issuer-trust.ts';
import { type AnswerForm, answerForm } from '../openid4vp/draft20-profiles.ts';
import type { PolicyPorts, PolicyScope } from '../policies/policy.ts';
import { readPolicies } from '../policies/read.ts';
import type { Draft20Request, OwnPolicies, PolicyRequest } from '../protocol.ts';
import { type NewRequestOptions, type RequestOptions, readOptions } from './request-options.ts';
import {
  definitionFor,
  formatsOf,
  type LocatedDefinition,
  type Requestable,
  type RequestedCredential,
  readRequestedCredentials,
} from './requested-credentials.ts';
import { DEFAULT_POLICIES, MAX_POLICIES } from './session-policies.ts';

/** What a caller wants to verify, unread (interface: Body of `POST /openid4vc/verify`). */
interface WantedCredentials {
  requestedCredentials: unknown[];
  vpPolicies?: unknown[];
  vcPolicies?: unknown[];
  presentationDefinition?: unknown;
  trustedRootCas?: unknown;
}

/** A request for a verification, as its caller wrote it. */
export type NewVerification = WantedCredentials & NewRequestOptions & Pick<Draft20Request, 'startedByWallet'>;

/** The same, read: what to ask of a wallet, the form of its response, the policies for it, and how it is sent. */
type ComposedRequest = Pick<
  Draft20Request,
  'query' | 'vpPolicies' | 'vcPolicies' | 'ownPolicies' | 'trustedRoots' | 'startedByWallet'
> &
  AnswerForm &
  RequestOptions['replies'] &
  Omit<RequestOptions, 'responseMode' | 'replies'>;

/** The most JSON of one member of a request, and of the definition that is made of them (decisions §12). */
const MAX_MEMBER_BYTES = DOCUMENTS['presentation-definition'].maxBytes;

const MEMBERS = ['requestedCredentials', 'vpPolicies', 'vcPolicies', 'presentationDefinition'] as const;

/** Reads what a caller wants to verify. */
export class RequestComposer {
  constructor(
    private readonly parts: QueryPorts &
      PolicyPorts &
      Requestable & {
        ids: Ids;
        roots: Pick<IssuerTrust, 'readRoots'>;
        outbound: Outbound;
      },
  ) {}

  /** @throws DomainError `BadRequest` naming the part of the request, `AddressRefused` for a webhook */
  async compose(wanted: NewVerification): Promise<ComposedRequest> {
    const { responseMode, replies, ...options } = readOptions(wanted);
    for (const name of MEMBERS) at([name], () => checkSize(wanted[name]));
    const { formats, outbound } = this.parts;
    const credentials = at(['requestedCredentials'], () =>
      readRequestedCredentials(wanted.requestedCredentials, this.parts),
    );
    const located = await this.#definition(wanted, credentials);
    const { definition } = located;
    const descriptors = formatsOf(definition, formats);
    const answer = at(placesOf(located), () => answerForm({ ...options, responseMode, descriptors, formats }));
    const { vpPolicies = DEFAULT_POLICIES, vcPolicies = DEFAULT_POLICIES, startedByWallet } = wanted;
    const [vp, vc] = await Promise.all([
      at(['vpPolicies'], () => this.#policies(vpPolicies, 'vp')),
      at(['vcPolicies'], () => this.#policies(vcPolicies, 'vc')),
    ]);
    const ownPolicies = await at(['requestedCredentials'], () => this.#ownPolicies(credentials, definition));
    const query = { language: 'presentation-exchange', definition } as const;
    const asked = { ...answer, query, vpPolicies: vp, vcPolicies: vc, ownPolicies, ...this.#roots(wanted) };
    const { statusCallbackUri: url } = replies;
    if (url !== undefined)
      at(['statusCallbackUri'], () => checkDestination(outbound, { url, expects: 'callback-reply' }));
    return { ...asked, ...options, ...replies, ...(startedByWallet && { startedByWallet }) };
  }

  #roots({ trustedRootCas }: WantedCredentials): { trustedRoots?: string[] } {
    if (trustedRootCas === undefined) return {};
    return { trustedRoots: at(['trustedRootCas'], () => this.parts.roots.readRoots(trustedRootCas)) };
  }

  async #definition(wanted: WantedCredentials, credentials: RequestedCredential[]): Promise<LocatedDefinition> {
    const { ids, formats } = this.parts;
    const { presentationDefinition } = wanted;
    const source = { requestedCredentials: credentials, presentationDefinition, id: ids.uuid(), formats };
    const located = definitionFor(source);
    const { definition, member, locate } = located;
    at([member], () => checkSize(definition));
    checkPolicyCount(wanted, credentials);
    const query = { language: 'presentation-exchange', definition } as const;
    const { cost } = await compileQuery(query, { ...this.parts, locate });
    if (cost > MAX_QUERY_COST) throw new DomainError('BadRequest', 'The presentation definition is too large');
    return located;
  }

  #policies(list: readonly unknown[], scope: PolicyScope): Promise<PolicyRequest[]> {
    return readPolicies({ list, scope, ports: this.parts });
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

/** Where the response mode and the descriptors are in the request. */
const placesOf = ({ member }: LocatedDefinition) => ({
  responseMode: ['responseMode'],
  descriptors: member === 'requestedCredentials' ? [member] : [member, 'input_descriptors'],
});

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
