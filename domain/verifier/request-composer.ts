import type { Ids } from '../../ports/system.ts';
import { utf8Length } from '../foundation/bytes.ts';
import { DomainError, invalidField } from '../foundation/errors.ts';
import { DOCUMENT_BYTES } from '../network/document-bounds.ts';
import type { PresentationDefinition } from '../presentation/exchange/definition.ts';
import { compileDefinition, type MatchingPorts } from '../presentation/exchange/matching.ts';
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
  asked: Pick<VerificationRequest, 'definition' | 'vpPolicies' | 'vcPolicies' | 'ownPolicies'>;
}

const DEFAULT_POLICIES = ['signature'];
const MAX_POLICIES = 128;
/** Leaves room for presentations of some hundred values, see `Verification`. */
const MAX_DEFINITION_COST = 2000;

/** The most JSON that one member of a request may be, and the definition made of them (decisions §12). */
const MAX_MEMBER_BYTES = DOCUMENT_BYTES['presentation-definition'];

/** Turns a caller's request into what a session is made of. */
export class RequestComposer {
  readonly #matching: MatchingPorts;
  readonly #ids: Ids;

  constructor(matching: MatchingPorts, ids: Ids) {
    this.#matching = matching;
    this.#ids = ids;
  }

  /** @throws DomainError `BadRequest` naming the header or the field of the body */
  async compose({ headers, body }: VerifyRequest): Promise<ComposedRequest> {
    const options = readOptions(headers, body.openid_profile);
    for (const [name, member] of Object.entries(body)) checkSize(member, `/body/${name}`);
    const { formats } = this.#matching;
    const reading = { at: '/body/request_credentials', formats };
    const credentials = readRequestedCredentials(body.request_credentials, reading);
    const source = { credentials, custom: body.presentation_definition, id: this.#ids.uuid(), formats };
    const { definition, locate } = definitionFor(source);
    checkSize(definition, source.custom === undefined ? '/body/request_credentials' : '/body/presentation_definition');
    checkPolicyCount(body, credentials);
    const { cost } = await compileDefinition(definition, { ...this.#matching, locate });
    if (cost > MAX_DEFINITION_COST) throw new DomainError('BadRequest', 'The presentation definition is too large');
    const [vpPolicies, vcPolicies] = await Promise.all([
      this.#policies(body.vp_policies ?? DEFAULT_POLICIES, 'vp', '/body/vp_policies'),
      this.#policies(body.vc_policies ?? DEFAULT_POLICIES, 'vc', '/body/vc_policies'),
    ]);
    return {
      options,
      asked: { definition, vpPolicies, vcPolicies, ownPolicies: await this.#ownPolicies(credentials, definition) },
    };
  }

  #policies(list: readonly unknown[], scope: PolicyScope, at: string): Promise<PolicyRequest[]> {
    return readPolicies({ list, scope, at, schemas: this.#matching.schemas });
  }

  /** Policies that would be bound to nothing are refused rather than forgotten. */
  async #ownPolicies(credentials: RequestedCredential[], definition: PresentationDefinition): Promise<OwnPolicies[]> {
    const ids = new Set(definition.input_descriptors.map(({ id }) => id));
    const own = credentials.map(async ({ descriptor, type, policies, at }, index) => {
      if (!policies) return [];
      if (!ids.has(descriptor.id) && type === undefined)
        throw invalidField(
          `${at}/policies`,
          `the presentation definition has no descriptor ${descriptor.id.slice(0, 64)}`,
        );
      const read = await this.#policies(policies, 'vc', `${at}/policies`);
      return [{ index, descriptorId: descriptor.id, policies: read }];
    });
    return (await Promise.all(own)).flat();
  }
}

/** A session keeps all of it for up to a week, and wallets read no larger definition. */
function checkSize(member: unknown, at: string): void {
  if (utf8Length(JSON.stringify(member) ?? '') > MAX_MEMBER_BYTES)
    throw invalidField(at, `must be at most ${MAX_MEMBER_BYTES} bytes of JSON`);
}

function checkPolicyCount(
  { vp_policies: vp = [], vc_policies: vc = [] }: VerifyRequest['body'],
  credentials: RequestedCredential[],
): void {
  const own = credentials.reduce((sum, { policies = [] }) => sum + policies.length, 0);
  if (vp.length + vc.length + own > MAX_POLICIES)
    throw new DomainError('BadRequest', `There may be at most ${MAX_POLICIES} policies in one request`);
}
