import { at, invalidField } from '../../foundation/errors.ts';
import { isObject, isText } from '../../foundation/json.ts';
import type { AuthorizationCodeGrant } from '../issuance-grant.ts';
import type { TxCodeRequest } from '../sessions/transaction-codes.ts';

/** How an offer is redeemed: the members of an issuance request that are not about the credential. */
export interface FlowRequest {
  authenticationMethod?: 'PRE_AUTHORIZED' | 'PWD' | 'VP_TOKEN' | 'ID_TOKEN' | 'NONE';
  standardVersion?: 'DRAFT11' | 'DRAFT13';
  /** `DEFERRED`; any other text is an immediate issuance. */
  issuanceType?: string;
  /** The type of credential that a holder presents with VP_TOKEN. */
  vpRequestValue?: string;
  vpProfile?: string;
  /** Whether requests to the wallet are signed (RFC 9101). */
  useJar?: boolean;
  /** Whether an offer of draft 11 names credentials by their ids. */
  draft11EncodeOfferedCredentialsByReference?: boolean;
  /** The transaction code that belongs to a pre-authorized code, and its value. */
  txCode?: { input_mode?: 'numeric' | 'text'; length?: number; description?: string };
  txCodeValue?: string;
}

/** How an offer is redeemed. */
interface IssuanceFlow
  extends Required<Pick<FlowRequest, 'authenticationMethod' | 'standardVersion' | 'useJar'>>,
    Pick<FlowRequest, 'vpRequestValue' | 'vpProfile' | 'txCodeValue'> {
  isDeferred: boolean;
  /** Whether an offer of draft 11 names credentials by their ids. */
  byReference: boolean;
  txCode?: TxCodeRequest;
}

/** The members, which a batch has in common. */
const MEMBERS = [
  'authenticationMethod',
  'standardVersion',
  'issuanceType',
  'vpRequestValue',
  'vpProfile',
  'useJar',
  'draft11EncodeOfferedCredentialsByReference',
  'txCode',
  'txCodeValue',
] as const satisfies (keyof FlowRequest)[];

/**
 * Reads how an offer is redeemed: the first request of a batch decides, the others may repeat it.
 * @throws DomainError `BadRequest` naming the member of another request that differs
 */
export function readFlow(requests: FlowRequest | readonly FlowRequest[]): IssuanceFlow {
  const [first = {}, ...others]: readonly FlowRequest[] = isObject(requests) ? [requests] : (requests as FlowRequest[]);
  for (const [index, other] of others.entries())
    for (const member of MEMBERS)
      if (other[member] !== undefined && JSON.stringify(other[member]) !== JSON.stringify(first[member]))
        throw invalidField([index + 1, member], 'must be that of the first request of the batch, or be left out');
  const { txCode, txCodeValue } = first;
  return {
    authenticationMethod: first.authenticationMethod ?? 'PRE_AUTHORIZED',
    standardVersion: first.standardVersion ?? 'DRAFT13',
    isDeferred: first.issuanceType === 'DEFERRED',
    useJar: first.useJar ?? false,
    byReference: first.draft11EncodeOfferedCredentialsByReference ?? true,
    vpRequestValue: first.vpRequestValue,
    vpProfile: first.vpProfile,
    ...(txCode && { txCode: { inputMode: txCode.input_mode, length: txCode.length, description: txCode.description } }),
    ...(txCodeValue !== undefined && { txCodeValue }),
  };
}

/** What this issuer can ask of a holder. */
interface HolderMeans {
  /** Whether holders can log in at another server. */
  hasLoginServer: boolean;
}

/** The profiles of requests for presentations that are made here. */
const PROFILES: readonly string[] = ['DEFAULT'];

/** Reads how an offer is redeemed, and checks that it can be. @throws DomainError `BadRequest` naming the member of a request */
export function checkFlow(requests: FlowRequest | readonly FlowRequest[], means: HolderMeans): IssuanceFlow {
  const flow = readFlow(requests);
  at(Array.isArray(requests) ? [0] : [], () => checkMethod(flow, means));
  return flow;
}

function checkMethod(flow: IssuanceFlow, { hasLoginServer }: HolderMeans): void {
  const { authenticationMethod: method, standardVersion, vpRequestValue, vpProfile = 'DEFAULT' } = flow;
  const { txCode, txCodeValue } = flow;
  if (method === 'PWD' && !hasLoginServer)
    throw invalidField(['authenticationMethod'], 'PWD needs a login server, which authentication-service.conf names');
  if (method === 'VP_TOKEN' && !isText(vpRequestValue))
    throw invalidField(['vpRequestValue'], 'is required: the type of the credential that the holder presents');
  if (method === 'VP_TOKEN' && !PROFILES.includes(vpProfile))
    throw invalidField(['vpProfile'], `must be ${PROFILES.join(' or ')}`);
  if (txCode && txCodeValue === undefined)
    throw invalidField(['txCodeValue'], 'is required: the answer has no place for a generated value');
  // Draft 11 §6.1.
  if (standardVersion === 'DRAFT11' && txCodeValue !== undefined && !/^\d{1,8}$/.test(txCodeValue))
    throw invalidField(['txCodeValue'], 'must be 1 to 8 digits in draft 11');
}

/** How the holder is authenticated at the authorization endpoint; undefined for a pre-authorized code. */
export function authorizationOf(flow: IssuanceFlow): Omit<AuthorizationCodeGrant, 'kind' | 'issuerState'> | undefined {
  const { authenticationMethod: method, vpRequestValue, useJar: isSigned } = flow;
  if (method === 'PRE_AUTHORIZED') return undefined;
  return { method, ...(method === 'VP_TOKEN' && { presentedType: vpRequestValue }), ...(isSigned && { isSigned }) };
}
