import { at, invalidField } from '../../foundation/errors.ts';
import { isObject } from '../../foundation/json.ts';

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
}

/** How an offer is redeemed. */
export interface IssuanceFlow
  extends Required<Pick<FlowRequest, 'authenticationMethod' | 'standardVersion' | 'useJar'>>,
    Pick<FlowRequest, 'vpRequestValue' | 'vpProfile'> {
  isDeferred: boolean;
  /** Whether an offer of draft 11 names credentials by their ids. */
  byReference: boolean;
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
] as const satisfies (keyof FlowRequest)[];

/**
 * Reads how an offer is redeemed: the first request of a batch decides, the others may repeat it.
 * @throws DomainError `BadRequest` naming the member of another request that differs
 */
export function readFlow(requests: FlowRequest | readonly FlowRequest[]): IssuanceFlow {
  const [first = {}, ...others]: readonly FlowRequest[] = isObject(requests) ? [requests] : (requests as FlowRequest[]);
  for (const [index, other] of others.entries())
    for (const member of MEMBERS)
      if (other[member] !== undefined && other[member] !== first[member])
        throw invalidField([index + 1, member], 'must be that of the first request of the batch, or be left out');
  return {
    authenticationMethod: first.authenticationMethod ?? 'PRE_AUTHORIZED',
    standardVersion: first.standardVersion ?? 'DRAFT13',
    isDeferred: first.issuanceType === 'DEFERRED',
    useJar: first.useJar ?? false,
    byReference: first.draft11EncodeOfferedCredentialsByReference ?? true,
    vpRequestValue: first.vpRequestValue,
    vpProfile: first.vpProfile,
  };
}

/** Refuses the flows that this issuer does not have. @throws DomainError `BadRequest` naming the member of a request */
export function checkFlow(requests: FlowRequest | readonly FlowRequest[]): IssuanceFlow {
  const flow = readFlow(requests);
  const { authenticationMethod, standardVersion } = flow;
  at(Array.isArray(requests) ? [0] : [], () => {
    if (authenticationMethod !== 'PRE_AUTHORIZED')
      throw invalidField(['authenticationMethod'], 'must be PRE_AUTHORIZED: offers carry a pre-authorized code');
    if (standardVersion !== 'DRAFT13') throw invalidField(['standardVersion'], 'must be DRAFT13');
  });
  return flow;
}
