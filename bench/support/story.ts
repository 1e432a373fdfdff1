import { Caller, GRANT, parameterOf } from './caller.ts';
import { offerRequest, TYPES } from './issuer.ts';
import type { Connection } from './load.ts';
import { type Party, signBare } from './parties.ts';

const [, TYPE = ''] = TYPES;
const OFFER_REQUEST = offerRequest();
const VERIFICATION_REQUEST = { request_credentials: [{ type: TYPE, format: 'jwt_vc_json' }] };

type Json = Record<string, unknown>;

/** Offers, issues, requests and verifies one credential: eight requests. @throws Error when it is not verified */
export async function playStory(connection: Connection, holder: Party): Promise<void> {
  const caller = new Caller(connection);
  const credential = await obtainCredential(caller, holder);
  await presentCredential(caller, holder, credential);
}

/** Offer, offer fetched, token, credential. */
async function obtainCredential(caller: Caller, holder: Party): Promise<string> {
  const link = await caller.post('/openid4vc/jwt/issue', OFFER_REQUEST);
  const offer = JSON.parse(await caller.get(parameterOf(link, 'credential_offer_uri')));
  const code = offer.grants[GRANT]['pre-authorized_code'];
  const token = JSON.parse(await caller.form('/draft13/token', { grant_type: GRANT, 'pre-authorized_code': code }));
  const claims = { aud: offer.credential_issuer, nonce: token.c_nonce, iat: Math.floor(Date.now() / 1000) };
  const jwt = signBare({ typ: 'openid4vci-proof+jwt', kid: holder.kid }, claims, holder.privateKey);
  const request = {
    format: 'jwt_vc_json',
    credential_definition: { type: TYPES },
    proof: { proof_type: 'jwt', jwt },
  };
  return JSON.parse(await caller.post('/draft13/credential', request, token.access_token)).credential;
}

/** Request, definition, presentation, result. */
async function presentCredential(caller: Caller, holder: Party, credential: string): Promise<void> {
  const link = await caller.post('/openid4vc/verify', VERIFICATION_REQUEST);
  const definition = JSON.parse(await caller.get(parameterOf(link, 'presentation_definition_uri')));
  const state = parameterOf(link, 'state');
  const vp = { type: ['VerifiablePresentation'], holder: holder.did, verifiableCredential: [credential] };
  const claims = { iss: holder.did, aud: parameterOf(link, 'client_id'), nonce: parameterOf(link, 'nonce'), vp };
  const vpToken = signBare({ kid: holder.kid, typ: 'JWT' }, claims, holder.privateKey);
  const presentation = { vp_token: vpToken, presentation_submission: submissionFor(definition), state };
  await caller.form(`/openid4vc/verify/${state}`, presentation);
  const result = JSON.parse(await caller.get(`http://server/openid4vc/session/${state}`));
  if (result.verificationResult !== true) throw new Error(`Not verified: ${JSON.stringify(result)}`);
}

function submissionFor({ id, input_descriptors }: { id: string; input_descriptors: Json[] }): string {
  const path_nested = { format: 'jwt_vc_json', path: '$.vp.verifiableCredential[0]' };
  const descriptor_map = [{ id: input_descriptors[0]?.id, format: 'jwt_vp_json', path: '$', path_nested }];
  return JSON.stringify({ id: 'answered', definition_id: id, descriptor_map });
}
