import { degree, type Issuer, onboard } from '../../demo/actors/issuer.ts';
import { MDL_DOCUMENT_SIGNER } from '../../domain/x509/signer-profiles.ts';
import { iaca } from '../support/credentials/mdoc-issuer.ts';
import type { TestServer } from '../support/servers/server.ts';
import { authorityKeyId, usageExtension } from '../support/trust/issuer-chains.ts';
import { identity, licence, signerChain } from './issuance-formats.ts';
import { newWalletUser, type WalletUser } from './wallet-user.ts';

/** What the settings of a server need for `holderOfAll`. */
export const CARD_SETTINGS = {
  issuerMetadata: { supportedCredentialTypes: { Card: { format: 'dc+sd-jwt', vct: 'urn:card:1' } } },
} as const;

/** A user whose wallet has a credential of our issuer in every format. */
export interface HolderOfAll {
  issuer: Issuer;
  holder: WalletUser;
  /** The ids of the credentials by format. */
  ids: Record<string, string>;
}

/** Issues a credential in every format, to a new user if none is given; `changes` are members of the requests, by format. */
export async function holderOfAll(
  server: TestServer,
  changes: Record<string, Record<string, unknown>> = {},
  user?: WalletUser,
): Promise<HolderOfAll> {
  const issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
  const holder = user ?? (await newWalletUser(server));
  const withDegree = { credentialSubject: { sd: false, children: { fields: { degree: { sd: true } } } } };
  const x5Chain = signerChain(issuer.issuerKey.jwk, {
    extensions: [usageExtension(MDL_DOCUMENT_SIGNER), authorityKeyId(iaca)],
  });
  const offers: [string, string, object][] = [
    ['jwt_vc_json', 'issueJwtCredential', degree(issuer, { selectiveDisclosure: { fields: withDegree } })],
    ['vc+sd-jwt', 'issueSdJwtCredential', identity(issuer)],
    ['dc+sd-jwt', 'issueSdJwtCredential', identity(issuer, { credentialConfigurationId: 'Card' })],
    ['mso_mdoc', 'issueMdoc', licence(issuer, { x5Chain })],
  ];
  const ids: Record<string, string> = {};
  for (const [format, operationId, json] of offers) {
    const { body: text } = await server.call(operationId, { json: { ...json, ...changes[format] } });
    const { body } = await holder.call('acceptCredentialOffer', { text });
    ids[format] = body[0].id;
  }
  return { issuer, holder, ids };
}
